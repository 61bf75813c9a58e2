/* Interprets the description of a hand's questions exactly as ledger/web/hand/answers.py does; a test compares both
   for every combination of answers. It depends neither on the page nor on any game. */
const soloQuestions = (() => {
  "use strict";

  const number = (text) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : -1);

  // Returns the active seats from the dealer's left, the lead and the dealer.
  function seat(description, dealer, named) {
    const { seats, count } = description;
    const at = Math.max(seats.indexOf(dealer), 0);
    const order = [...seats.slice(at + 1), ...seats.slice(0, at + 1)];
    const size = count || seats.length;
    const trio = named && new Set(named).size === size && named.length === size && named.every((each) => seats.includes(each));
    const active = trio ? order.filter((each) => named.includes(each)) : order.slice(0, size);
    return { active, lead: [active[0]], dealer: [seats[at]] };
  }

  function isSo(facts, name, wanted) {
    const values = facts[name] || [];
    if (typeof wanted === "boolean") return values.length > 0 === wanted;
    if (Array.isArray(wanted)) return values.some((each) => wanted.includes(each));
    if (wanted.not) return !values.some((each) => wanted.not.includes(each));
    if (wanted.as) return values.some((each) => (facts[wanted.as] || []).includes(each));
    return values.some((each) => wanted.from <= number(each) && number(each) <= wanted.to);
  }

  // Returns whether one of the cases holds; null is not a condition.
  const holds = (cases, facts) =>
    !cases || cases.some((one) => Object.entries(one).every(([name, wanted]) => isSo(facts, name, wanted)));

  function isMissing(question, kept, said) {
    if (question.options) return !kept.length;
    const given = [...kept.slice(0, 1), ...(said[question.instead] || []).slice(0, 1)];
    return !given.some((text) => {
      const found = number(text);
      return found >= 0 && found <= question.most && !(question.never || []).includes(found);
    });
  }

  // Returns the open questions in order; a condition on a later question uses its answer unchecked.
  function read(description, seats, said) {
    const facts = {};
    for (const [name, values] of Object.entries({ ...said, ...seats })) if (values.length) facts[name] = values;
    facts.others = facts.active;
    const fixed = new Set();
    const asked = [];
    for (const question of description.questions) {
      const { name, options } = question;
      const given = said[name] || [];
      if (!fixed.has(name)) delete facts[name];
      if (!holds(question.when, facts)) continue;
      const offered = (options || []).filter(([value, when]) => {
        const isSeat = question.of && !value.startsWith("<");
        return (!isSeat || (facts[question.of] || []).includes(value)) && holds(when, facts);
      });
      let kept = given.filter((each) => !options || offered.some(([value]) => value === each));
      if (!question.many) kept = kept.slice(0, 1);
      if (!kept.length && offered.some(([value]) => value === question.usual)) kept = [question.usual];
      if (kept.length) facts[name] = kept;
      for (const [value, , sets] of offered) {
        if (!sets || !kept.includes(value)) continue;
        for (const [key, each] of Object.entries(sets)) {
          facts[key] = [each];
          fixed.add(key);
        }
      }
      if (name === "bidder") facts.others = facts.active.filter((each) => !kept.includes(each));
      asked.push({ question, offered, said: kept, missing: Boolean(question.needed) && isMissing(question, kept, said) });
    }
    return { asked, facts };
  }

  return { seat, read, holds, number };
})();
