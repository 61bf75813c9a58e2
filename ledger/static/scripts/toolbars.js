/* The two toolbars of the hand form: a button for each answered question, which opens it again, and for each one still to
   come. */
const soloToolbars = (() => {
  "use strict";

  // Returns the answers of a block in words: without usual answers, and with the label of a question that has one.
  function words({ colon, comma }, { block, opens }) {
    const texts = opens.flatMap(({ question, answers: values, offered }) => values.filter((each) => each !== question.usual).map((value) => {
      if (!question.options) return question.instead ? value : String(question.most - soloQuestions.number(value));
      const chosen = [...block.querySelectorAll(`input[name="${question.name}"]:checked`)].find((each) => each.value === value);
      const tap = chosen.closest(".tap");
      const text = tap.querySelector("bdi, .suit").textContent.replace("\ufe0e", "");
      const [, , sets] = offered.find((each) => each[0] === value);
      if (question.usual) return `${question.label}${colon}${text}`;
      return sets?.trump ? `${text} ${"♠♥♦♣"["SHDC".indexOf(sets.trump)]}` : text;
    }));
    return texts.slice(0, opens[0].question.options ? undefined : 1).join(comma);
  }

  // Returns a button that opens a question again or early.
  function opener(step, text, note) {
    const button = document.createElement("button"), name = document.createElement("bdi");
    button.type = "button";
    button.className = "plain";
    button.dataset.opens = step.block.id;
    button.setAttribute("aria-label", `${step.block.dataset.label}: ${text || note}`);
    for (const part of (text || step.block.dataset.label).split(/([♠♥♦♣])/)) {
      const at = "♠♥♦♣".indexOf(part);
      if (!part || at < 0) name.append(part);
      else {
        const sign = document.createElement("span");
        sign.className = `suit ${at % 3 ? "red" : "black"} suit-${"SHDC"[at]}`;
        sign.textContent = `${part}\ufe0e`;
        name.append(sign);
      }
    }
    button.append(name);
    if (note) {
      const small = document.createElement("small");
      small.textContent = note;
      button.append(small);
    }
    return button;
  }

  // Replaces the buttons of a toolbar if others are due.
  function renew(id, buttons) {
    const bar = document.getElementById(id), old = [...bar.children];
    if (buttons.length !== old.length || buttons.some((each, at) => !each.isEqualNode(old[at]))) bar.replaceChildren(...buttons);
  }

  // Draws both; `step` is the open question, which is in neither. The form also keeps all answers in words.
  function draw(form, texts, steps, step) {
    const done = steps.filter((each) => each.done && each !== step);
    renew("told", done.map((each) => opener(each, words(texts, each))));
    form.dataset.said = steps.filter((each) => each.done).map((each) => words(texts, each)).join(" · ");
    const ahead = steps.filter((each) => !each.done && each !== step);
    renew("ahead", ahead.map((each) => opener(each, "", each.needed ? texts.needed : texts.optional)));
  }

  return { draw };
})();
