"""What may be asked of scores: one record per question, declared by the room that answers it.

A room names its questions in the record of its folder (`questions=("question:FACTORS",)`). `ask`
finds the one that a request means, reads what it needs, and returns its answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from podium.asking.comparison.answer import Answer
from podium.asking.comparison.request import Case, Request, load_questions

LAST = 100  # the place of the usual question, which suits every request


@dataclass(frozen=True)
class Question:
    """One thing that people ask of scores.

    Attributes
    ----------
    name : of its folder, or of what is asked.
    place : a request is held against questions in this order; the usual one suits all, and is last.
    suits : whether a request asks it, by its options alone.
    read : what the question needs; options that do not apply are refused here.
    answer : what the case says.
    only_tables : why it has no order, diagram, scores and methods text to write; empty where it
        has.
    is_asked_by : whether a case of the usual question asks this one by itself, as timings of two
        versions do.
    """

    name: str
    place: float
    suits: Callable[[Request], bool]
    read: Callable[[Request], Case]
    answer: Callable[[Case], Answer]
    only_tables: str = ""
    is_asked_by: Callable[[Case], bool] = lambda case: False


def list_questions() -> list[Question]:
    """The questions of all rooms, in the order in which a request is held against them."""
    return sorted(load_questions(), key=lambda question: question.place)


def find_question(request: Request) -> Question:
    """The first question that suits."""
    return next(each for each in list_questions() if each.suits(request))


def read_case(request: Request) -> tuple[Question, Case]:
    """The question that a request means, and its case; results may ask for another than usual."""
    question = find_question(request)
    case = question.read(request)
    if question.place == LAST:
        asked_by_itself = (each for each in list_questions() if each.is_asked_by(case))
        question = next(asked_by_itself, question)
    return question, case


def ask(request: Request) -> Answer:
    """The answer to what is asked."""
    question, case = read_case(request)
    return question.answer(case)
