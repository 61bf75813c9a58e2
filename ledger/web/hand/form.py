"""The hand form as a value: the fields as submitted, the questions open now, and the draft of a hand.

It depends on the game's ``Rules`` only, through the description of their questions. Choices that another
answer has made impossible are removed by ``fitted``. Saving takes the fields as submitted, so that the engine
refuses a choice that no page offered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from werkzeug.datastructures import MultiDict

from engine.cards.cards import Suit
from engine.errors import Refused
from engine.record import PASS
from engine.record.fields import to_mapping
from engine.record.parts import BlindRound
from engine.record.results import RESULT
from engine.rules.bids import Bid
from engine.rules.seating import SeatingTable, Turn
from engine.rules.sheet import Rules
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.turn import BLIND_ROUND, LEAD, dealer_for, of_hand
from ledger.web.frame.figures import whole_number
from ledger.web.hand import answers, bidding, play
from ledger.web.hand import data as hand_data
from ledger.web.hand.answers import FormState
from ledger.web.hand.data import BADGES, TURNS
from ledger.web.hand.description import Description, Question
from ledger.web.hand.fields import AUCTION, CARDS, FIELDS, MARKS, NO, QUESTIONS, YES, states
from ledger.web.hand.questions import ALONE, LEFT_OPEN, NOBODY, describe

_UNCONDITIONAL = ("note", BLIND_ROUND)
"""Fields that are on the page at any time, or that depend on the dealer alone."""


@dataclass(frozen=True)
class HandForm:
    """A hand being entered.

    ``chosen`` maps the names of the fields to their texts, without empty ones, and ``marked`` maps
    ``doubled`` and ``redoubled`` to names. ``turn`` is the proposed turn, ``dealer`` the dealer of this hand;
    ``active`` is the chosen trio, None for the one that follows from the dealer. ``left_open`` are the
    questions whose answers the entered cards don't show.
    """

    rules: Rules
    names: tuple[str, ...]
    turn: Turn
    dealer: str
    active: tuple[str, ...] | None
    chosen: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_open: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        rules: Rules,
        names: Sequence[str],
        turn: Turn,
        form: MultiDict[str, str],
        *,
        as_sent: bool = False,
    ) -> "HandForm":
        """Parse the submitted form; ``turn`` is the proposed turn.

        The proposed dealer, blind round and trio are replaced by the current ones if the scorer has not
        changed them, unless the dealer is to be taken ``as_sent``. A lead other than the proposed one
        determines the dealer; if the scorer changed the dealer as well, the form keeps both.
        """
        hand = cls._parsed(rules, names, turn, form, as_sent=as_sent)
        entered = (hand.chosen, hand.marked, form.get("call", ""))
        chosen, marked = bidding.with_contract(rules, hand.table.active, *entered)
        return replace(hand, chosen=chosen, marked=marked)._examined()

    @classmethod
    def _parsed(
        cls,
        rules: Rules,
        names: Sequence[str],
        turn: Turn,
        form: MultiDict[str, str],
        *,
        as_sent: bool,
    ) -> "HandForm":
        """Parse the submitted form, before it is known what the cards leave open."""
        dealer = form.get("dealer") or turn.dealer
        if not as_sent and dealer == form.get("dealer_proposed"):
            dealer = turn.dealer
        proposed_for, lead = form.get("active_of") or dealer, form.get(LEAD, "")
        chose_lead = lead in names and lead != form.get("lead_of", lead)
        if chose_lead and form.get("dealer", proposed_for) == proposed_for:
            dealer = dealer_for(lead, names)
        fields = {name: text for name in FIELDS if (text := form.get(name, "").strip())}
        if form.get(BLIND_ROUND) == form.get("blind_shown"):
            fields.pop(BLIND_ROUND, None)
        if chose_lead and dealer != dealer_for(lead, names):
            fields[LEAD] = lead
        marked = {name: tuple(values) for name in MARKS if (values := form.getlist(name))}
        hand = cls(rules, tuple(names), turn, dealer, None, fields, marked)
        active = form.getlist("active")
        if not active or (chose_lead and lead not in active):
            return hand
        proposed = replace(hand, dealer=proposed_for).table.active
        if set(active) in (set(proposed), set(hand.table.active)):
            return hand
        return replace(hand, active=tuple(active))

    @classmethod
    def of_record(cls, rules: Rules, names: Sequence[str], record: Mapping[str, Any]) -> "HandForm":
        """Return the form of a record, with the current ``names`` of its players.

        With its cards if the record has tricks; a claim in it names a side.
        """
        new_names = dict(zip(record["players"], names, strict=True))
        contract = record.get("contract", {})
        if contract.get("bid") == PASS:
            fields: dict[str, Any] = {"bidder": NOBODY}
        else:
            partner = new_names.get(contract.get("partner"))
            fields = {
                **{key: contract.get(key) for key in ("bid", "trump", "called")},
                "bidder": new_names.get(contract.get("bidder")),
                "partner": ALONE if contract.get("alone") else partner,
            }
        stated = {**contract, **record}
        for key in QUESTIONS:
            fields[key.name] = key.answer(stated) if key.choices else stated.get(key.name)
        fields["note"] = record.get("note")
        fields |= play.fields_of(record)
        hand = cls(
            rules,
            tuple(names),
            of_hand(rules, record, names),
            new_names[record["dealer"]],
            None,
            {key: str(value) for key, value in fields.items() if value is not None},
            {key: tuple(map(new_names.__getitem__, contract.get(key) or ())) for key in MARKS},
        )
        trio = tuple(new_names[name] for name in record.get("active") or ())
        if trio and set(trio) != set(hand.table.active):
            hand = replace(hand, active=trio)
        return hand._examined()

    @property
    def auction(self) -> bidding.EnteredAuction:
        """The auction as entered."""
        return bidding.read(self.rules, self.table.active, self.chosen.get(AUCTION, ""))

    def _examined(self) -> "HandForm":
        """Return the form with the questions that its cards leave open; unchanged without cards."""
        if CARDS not in self.chosen:
            return self
        open_questions = play.left_open(self.rules, self.names, self.fitted.draft)
        return replace(self, left_open=open_questions)

    # --- the seats ------------------------------------------------------------------------------

    # Cached for the benchmark tapping: the page asks for the seats dozens of times.
    @cached_property
    def table(self) -> SeatingTable:
        """The seats of this hand; those that follow from the dealer if the chosen ones are impossible."""
        try:
            return self.rules.table(self.names, self.dealer, self.active)
        except Refused:
            dealer = self.dealer if self.dealer in self.names else self.names[0]
            return self.rules.table(self.names, dealer)

    @property
    def proposed(self) -> str:
        """The proposed dealer."""
        return self.turn.dealer

    @property
    def may_be_blind(self) -> bool:
        """Whether the rules have a blind round."""
        return any(bid.lead_only for bid in self.rules.bids)

    @property
    def blind_round(self) -> BlindRound | None:
        """The blind round that the hand is part of: the current one, or one that begins with it.

        None if the scorer declined it, or the rules have none.
        """
        answer = self.chosen.get(BLIND_ROUND)
        if answer == NO or not self.may_be_blind:
            return None
        return self.blind_under_way or (BlindRound() if answer == YES else None)

    @property
    def blind_under_way(self) -> BlindRound | None:
        """The blind round with this dealer unless the lead has been under; another dealer restarts it."""
        return self.turn.dealt_by(self.table.dealer).blind

    @property
    def under(self) -> str | None:
        """The player under, in a blind round."""
        return None if self.blind_round is None else self.table.lead

    @property
    def some_sit_out(self) -> bool:
        """Whether more players are seated than play."""
        return bool(self.table.idle)

    @property
    def all_passed(self) -> bool:
        """Whether nobody bid."""
        return self.chosen.get("bidder") == NOBODY

    @property
    def opponents(self) -> tuple[str, ...]:
        """The active players except the bidder, clockwise; all of them without a bidder."""
        table, bidder = self.table, self.chosen.get("bidder")
        return table.opponents(bidder) if bidder in table.active else table.active

    def badge(self, name: str) -> str:
        """Return the badge of a seat: dealer, lead, under or sitting out; empty for other players."""
        table = self.table
        if name == self.under:
            return BADGES["is_under"]
        if name == table.lead:
            return BADGES["leads"]
        if name == table.dealer:
            return BADGES["deals" if name in table.active else "deals_out"]
        return "" if name in table.active else BADGES["out"]

    @property
    def turn_text(self) -> str:
        """The sentence about the dealer, the lead and the players sitting out, with placeholders."""
        table, blind = self.table, self.blind_round
        if blind is not None:
            key = "again" if blind.heartless else "under"
        else:
            key = "turn" if not table.idle else "king" if len(table.idle) == 1 else "idle"
        return TURNS[key]

    # --- the questions --------------------------------------------------------------------------

    @property
    def description(self) -> Description:
        """The questions of a hand at this table."""
        return describe(self.rules, self.names)

    # Cached for the benchmark tapping: each question of the page asks for the answers.
    @cached_property
    def now(self) -> FormState:
        """The questions that are open, with their answers."""
        table = self.table
        seats = {"active": table.active, "lead": (table.lead,), "dealer": (table.dealer,)}
        seats[LEFT_OPEN] = self.left_open
        texts = {name: (text,) for name, text in self.chosen.items()}
        return answers.read(self.description, seats, {**texts, **self.marked})

    def offered(self, name: str) -> tuple[str, ...]:
        """Return the answers offered to a question; empty if it is not open."""
        questions = [item for item in self.now.questions if item.question.name == name]
        return tuple(option.value for item in questions for option in item.offered)

    def asks(self, name: str) -> bool:
        """Return whether a question is open."""
        return any(item.question.name == name for item in self.now.questions)

    @property
    def bid(self) -> Bid | None:
        """The chosen bid."""
        return self.rules.by_slug.get(self.chosen.get("bid", ""))

    @property
    def trump(self) -> Suit | None:
        """The trump suit, chosen or implied by the bid."""
        suits = self.now.facts.get("trump", ())
        return next((suit for suit in Suit if suit in suits), None)

    @property
    def unasked(self) -> tuple[str, ...]:
        """The fields that are hidden."""
        return tuple(name for name in FIELDS if not self.asks(name) and name not in _UNCONDITIONAL)

    def called_afar(self, question: Question) -> bool:
        """Return whether the called card is in a collapsed row."""
        called = self.chosen.get(question.name)
        return any(called in row.cards for row in question.rows if not self.now.near(row.near))

    def complement(self, of: str) -> str:
        """Return the count that one side's count implies for the other, as a placeholder.

        Empty if that side's count is missing or invalid.
        """
        count, total = whole_number(self.chosen.get(of, "")), self.rules.pack.total
        return str(total - count) if isinstance(count, int) and 0 <= count <= total else ""

    @property
    def data(self) -> str:
        """The JSON that the form's script reads."""
        blind, table = self.blind_round, self.table
        continues = [name for name in self.names if self.turn.dealt_by(name).blind is not None]
        under_again = table.lead if blind is not None and blind.heartless else None
        after = {bid.slug: "unknown" for bid in self.rules.bids if bid.lead_only}
        if not self.rules.moves_on_all_pass:
            after[NOBODY] = "stays"
        played = play.play_data(self.rules)
        return hand_data.data(self.description, continues, under_again, after, played)

    # --- the draft ------------------------------------------------------------------------------

    @property
    def fitted(self) -> "HandForm":
        """The form without impossible answers, and with the usual answers filled in."""
        answered = {item.question.name: item.answers for item in self.now.questions if item.answers}
        described = {question.name for question in self.description.questions}
        others = {name: text for name, text in self.chosen.items() if name not in described}
        texts = {name: values[0] for name, values in answered.items() if name not in MARKS}
        marked = {name: answered.get(name, ()) for name in MARKS}
        return replace(self, chosen={**others, **texts}, marked=marked)

    @property
    def keeps_all(self) -> bool:
        """Whether all answers of the form are possible."""
        fitted = self.fitted
        marks = all(set(names) <= set(fitted.marked[name]) for name, names in self.marked.items())
        return marks and self.chosen.items() <= fitted.chosen.items()

    @property
    def draft(self) -> HandDraft:
        """The record keys that the form determines.

        The count of one side is filled in from the other side's. Text that is not a number stays text, for
        the engine to refuse.
        """
        chosen, result = self.chosen, self._result
        draft: dict[str, Any] = {"dealer": self.dealer}
        if LEAD in chosen:
            draft[LEAD] = chosen[LEAD]
        blind = self.blind_round
        if blind != self.blind_under_way:
            draft[BLIND_ROUND] = False if blind is None else to_mapping(blind)
        if self.active is not None:
            draft["active"] = list(self.active)
        if contract := self._contract(result):
            draft["contract"] = contract
        if "note" in chosen:
            draft["note"] = chosen["note"]
        draft |= {name: value for name, value in result.items() if not RESULT[name].in_contract}
        if AUCTION in chosen:
            draft[AUCTION] = self.auction.calls
        draft |= play.record_keys(chosen, self.names, self.table)
        for question in self.description.questions:
            theirs = draft.get(question.instead)
            if self.asks(question.name) and question.name not in draft and isinstance(theirs, int):
                draft[question.name] = self.rules.pack.total - theirs
        return draft

    def _contract(self, result: Mapping[str, object]) -> dict[str, Any]:
        chosen = self.chosen
        contract: dict[str, Any] = {
            key: chosen[key] for key in ("bidder", "bid", "trump", "called") if key in chosen
        }
        if "trump" not in contract and self.trump:
            contract["trump"] = self.trump.value
        if self.all_passed:
            contract = {**contract, "bid": PASS}
            del contract["bidder"]
        if chosen.get("partner") == ALONE:
            contract["alone"] = True
        elif "partner" in chosen:
            contract["partner"] = chosen["partner"]
        order = self.opponents
        for key in MARKS:
            if names := self.marked.get(key):
                contract[key] = sorted(names, key=lambda n: order.index(n) if n in order else 99)
        return contract | {
            name: value for name, value in result.items() if RESULT[name].in_contract
        }

    @property
    def _result(self) -> dict[str, object]:
        """The keys of the result that the answers state, also to questions that are not open."""
        result: dict[str, object] = {}
        for key in QUESTIONS:
            if key.name in self.chosen:
                result.update(states(key, self.chosen[key.name]))
        return result

    @property
    def seal(self) -> str:
        """The hash of the draft."""
        return seal_of(self.draft)


def seal_of(draft: HandDraft) -> str:
    """Return a hash of a draft, to compare the saved draft with the previewed one."""
    text = json.dumps(draft, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]
