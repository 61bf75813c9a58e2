/* Interprets the description of a hand's questions exactly as ledger/web/hand/answers.py does; a test compares both
   for every combination of answers. It depends neither on the page nor on any game. */
const soloQuestions = (() => {
  "use strict";

  const number = (text) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : -1);

  // Returns the number of words that a text lacks; negative for too many, and for a question of no text.
  const wordsLeft = (question, text) => (question.words || 0) - text.split(/[\s,;、，；/]+/).filter(Boolean).length;

  // Returns the active seats from the dealer's left, the lead and the dealer.
  function seat(description, dealer, named) {
    const { seats, count } = description;
    const at = Math.max(seats.indexOf(dealer), 0);
    const order = [...seats.slice(at + 1), ...seats.slice(0, at + 1)];
    const size = count || seats.length;
    const trio = named && new Set(named).size === size && named.length === size && named.every((who) => seats.includes(who));
    const active = trio ? order.filter((each) => named.includes(each)) : order.slice(0, size);
    return { active, lead: [active[0]], dealer: [seats[at]] };
  }

  function isMet(condition, name, facts) {
    const values = facts[name] || [];
    if (typeof condition === "boolean") return values.length > 0 === condition;
    if (Array.isArray(condition)) return values.some((value) => condition.includes(value));
    if (condition.not) return !values.some((value) => condition.not.includes(value));
    if (condition.as) return values.some((value) => (facts[condition.as] || []).includes(value));
    return values.some((value) => condition.from <= number(value) && number(value) <= condition.to);
  }

  // Returns whether one of the cases holds; null is not a condition.
  const holds = (cases, facts) =>
    !cases || cases.some((one) => Object.entries(one).every(([name, condition]) => isMet(condition, name, facts)));

  function isMissing(question, valid, answers) {
    if (question.options) return !valid.length;
    const texts = [...valid.slice(0, 1), ...(answers[question.instead] || []).slice(0, 1)];
    return !texts.some((text) => {
      const count = number(text);
      return count >= 0 && count <= question.most && !(question.never || []).includes(count);
    });
  }

  // Returns the open questions in order; a condition on a later question uses its answer unchecked.
  function read(description, seats, answers) {
    const facts = {};
    for (const [name, values] of Object.entries({ ...answers, ...seats })) if (values.length) facts[name] = values;
    facts.others = facts.active;
    const fixed = new Set();
    const questions = [];
    for (const question of description.questions) {
      const { name, options } = question;
      if (!fixed.has(name)) delete facts[name];
      if (!holds(question.when, facts)) continue;
      const offered = (options || []).filter(([value, when]) => {
        const isSeat = question.of && !value.startsWith("<");
        return (!isSeat || (facts[question.of] || []).includes(value)) && holds(when, facts);
      });
      let valid = (answers[name] || []).filter((text) => !options || offered.some(([value]) => value === text));
      if (!question.many) valid = valid.slice(0, 1);
      if (!valid.length && offered.some(([value]) => value === question.usual)) valid = [question.usual];
      if (valid.length) facts[name] = valid;
      for (const [value, , sets] of offered) {
        if (!sets || !valid.includes(value)) continue;
        for (const [key, answer] of Object.entries(sets)) {
          facts[key] = [answer];
          fixed.add(key);
        }
      }
      if (name === "bidder") facts.others = facts.active.filter((who) => !valid.includes(who));
      const isShort = valid.length > 0 && wordsLeft(question, valid[0]) > 0 && !holds(question.fewer, facts);
      const missing = (Boolean(question.needed) && isMissing(question, valid, answers)) || isShort;
      questions.push({ question, offered, answers: valid, missing });
    }
    return { questions, facts };
  }

  return { seat, read, holds, number, wordsLeft };
})();
