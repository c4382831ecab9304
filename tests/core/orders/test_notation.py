"""Text in and out: quoting, the round trip, what a text can carry, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relations import all_relations, named_weak_orders, order_of, relations, weak_orders

from podium import Order
from podium import order as parse_order
from podium.errors import InferenceError

# eugster2008: section 3.2 (test, mixed model), section 3.3 (R_w, R_c, hierarchical), section 4.2
# and 4.3 (consensus, survey)
PRINTED = [
    "blue ≈ red ≻ green ≻ orange ≈ purple ≈ yellow",
    "red ≈ blue ≻ green ≻ yellow ≈ orange ≈ purple",
    "red ≻ purple ≻ orange ≻ yellow ≻ green ≻ blue",
    "blue ≻ red ≻ green ≻ purple ≻ orange ≻ yellow",
    "blue ≻ purple ≻ red ≻ green ≻ yellow ≈ orange",
    "blue ≻ red ≈ orange ≈ green ≻ yellow ≻ purple",
]


@pytest.mark.parametrize("text", PRINTED)
def test_the_orders_of_eugster2008_are_read_and_printed_as_they_are(text):
    order = parse_order(text)
    assert order.text == text
    assert order.axioms["strict weak order"]
    assert parse_order(order.ascii).text == text


def test_an_equals_sign_is_read_as_alike():  # eugster2008 prints R_w with it
    order = parse_order("blue < red < purple = orange < green < yellow")
    assert order == parse_order("blue ≻ red ≻ orange ≈ purple ≻ green ≻ yellow")


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 3), (3, 13), (4, 75)])
def test_all_weak_orders_come_back(size, number):
    orders = weak_orders(size)
    assert len(set(orders)) == len(orders) == number  # the ordered Bell numbers
    for order in orders:
        assert parse_order(order.text) == parse_order(order.ascii) == order
        assert "≿" not in order.text


@given(named_weak_orders())
def test_weak_orders_of_any_names_come_back(order):
    for text in (order.text, order.ascii):
        read = parse_order(text)
        assert read == order
        assert read.groups == order.groups
        assert read.text == order.text
        assert "\n" not in text
    assert order.ascii.isascii()


@given(relations())
def test_reading_a_text_gives_the_text_again(order):
    assert parse_order(order.text).text == order.text
    assert parse_order(order.ascii).ascii == order.ascii


def test_a_text_without_mixed_joints_carries_the_whole_relation():
    for order in all_relations(4):
        if "≿" not in order.joints and not order.cycles:
            assert parse_order(order.text) == order
        assert order.axioms["strict weak order"] == ("≿" not in order.joints and not order.cycles)


def test_a_mixed_joint_claims_no_pair_and_leaves_its_pairs_open():
    order = parse_order("a ≈ b ≿ c ≻ d")
    assert order == parse_order("a ~ b >~ c > d")
    assert order.groups == [["a", "b"], ["c"], ["d"]]
    assert order.joints == ["≿", "≻"]
    assert order.better.sum() == 1
    assert order.better[2, 3]
    assert order.uncompared == {("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")}
    assert order.text == "a ≈ b ≿ c ≻ d"


def test_a_text_that_no_relation_prints_is_kept_too():
    assert parse_order("a ≿ b").text == "a ≿ b"
    assert parse_order("a ≿ b") != parse_order("a ≈ b")
    assert parse_order("a ≿ b") != parse_order("b ≿ a")


def test_the_order_within_a_layer_is_kept_and_does_not_matter():
    assert parse_order("svm ≈ rpart ≻ nnet").text == "svm ≈ rpart ≻ nnet"
    assert parse_order("svm ≈ rpart ≻ nnet") == parse_order("rpart ≈ svm ≻ nnet")


def test_blanks_do_not_matter():
    assert parse_order("  a<b≈c <~d\n").text == "a ≻ b ≈ c ≿ d"


def test_one_algorithm_is_an_order():
    assert parse_order("svm").text == "svm"
    assert parse_order("svm").winners == ["svm"]


def test_an_order_is_passed_through():
    order = parse_order("a ≻ b")
    assert parse_order(order) is order


@pytest.mark.parametrize(
    ("name", "text", "ascii_text"),
    [
        ("k-nn_2.5", "k-nn_2.5", "k-nn_2.5"),
        ("random forest", '"random forest"', '"random forest"'),
        ("svm(C=1)", '"svm(C=1)"', '"svm(C=1)"'),
        ("a, b", '"a, b"', '"a, b"'),
        ("a<b", '"a<b"', '"a<b"'),
        ("a≈b", '"a≈b"', '"a\\u2248b"'),
        ('"', '"\\""', '"\\""'),
        ("\\n", '"\\\\n"', '"\\\\n"'),
        ("\n\t\r", '"\\n\\t\\r"', '"\\n\\t\\r"'),
        ("größe", "größe", '"gr\\u00f6\\u00dfe"'),
        ("\u00a0", '"\\u00a0"', '"\\u00a0"'),
        ("🏆", '"🏆"', '"\\U0001f3c6"'),
        ("\x00", '"\\u0000"', '"\\u0000"'),
        (" ", '" "', '" "'),
        ("'", '"\'"', '"\'"'),
        ("\ud800", '"\\ud800"', '"\\ud800"'),
    ],
)
def test_odd_names_are_quoted_and_come_back(name, text, ascii_text):
    order = Order((name,), [[False]])
    assert (order.text, order.ascii) == (text, ascii_text)
    assert parse_order(text).algorithms == parse_order(ascii_text).algorithms == (name,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "An order is a text such as 'svm ≈ rpart ≻ nnet', not ''."),
        (" ", "An order is a text such as 'svm ≈ rpart ≻ nnet', not ' '."),
        (None, "An order is a text such as 'svm ≈ rpart ≻ nnet', not None."),
        (
            "a ≺ b",
            "The order 'a ≺ b' cannot be read from '≺ b' on. "
            "The better algorithm comes first, before a '≻'.",
        ),
        (
            "a < b > c",
            "The order 'a < b > c' has both '<' and '>', and the better algorithm always comes "
            "first: write one of them. An example: svm ≈ rpart ≻ nnet.",
        ),
        (
            "a < (b ≈ c)",
            "The order 'a < (b ≈ c)' cannot be read from '(b ≈ c)' on. "
            "A name with such a sign is put in double quotes.",
        ),
        (
            "a, b < c",
            "The order 'a, b < c' cannot be read from ', b < c' on. "
            "A name with such a sign is put in double quotes.",
        ),
        (
            'a ≻ "b',
            "The order 'a ≻ \"b' cannot be read from '\"b' on. "
            'A double quote is not closed; inside a name it is written \\".',
        ),
        (
            "C=1 < C=2",
            "The order 'C=1 < C=2' cannot be read from '=1 < C=2' on. "
            "A '=' for ≈ has blanks on both sides; a name with '=' is put in double quotes.",
        ),
        (
            "random forest ≻ svm",
            "The order 'random forest ≻ svm' has no sign between 'random' and 'forest'; "
            'a name with blanks is put in double quotes: "random forest".',
        ),
        ("a ≻ ", "The order 'a ≻ ' lacks a name beside '≻'. An example: svm ≈ rpart ≻ nnet."),
        ("≈ a", "The order '≈ a' lacks a name beside '≈'. An example: svm ≈ rpart ≻ nnet."),
        ("a ≻ ≻ b", "The order 'a ≻ ≻ b' lacks a name beside '≻'. An example: svm ≈ rpart ≻ nnet."),
        ("a ≻ b ≻ a", "The algorithm 'a' is named twice in an order."),
        (
            'a ≻ ""',
            "An algorithm of an order is named by a text that is not empty, not ''.",
        ),
        (r'"\q"', r"""The order '"\q"' has an unknown escape: \q."""),
        (r'"\U00110000"', r"""The order '"\U00110000"' has an unknown escape: \U00110000."""),
        (r'"\u12"', r"""The order '"\u12"' has an unknown escape: \u."""),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_way_out(text, message):
    with pytest.raises(InferenceError) as error:
        parse_order(text)
    assert str(error.value) == message


@given(st.text(alphabet='ab<~≈≿=" \\u>', max_size=12))
def test_any_text_is_read_or_refused_in_a_sentence(text):
    try:
        order = parse_order(text)
    except InferenceError:
        return
    assert parse_order(order.text) == order


def test_str_repr_and_html_show_the_text():
    order = Order.from_ranks(["<b>", "svm"], [2, 1])
    assert str(order) == 'svm ≻ "<b>"'
    assert repr(order) == "Order('svm ≻ \"<b>\"')"
    assert order._repr_html_() == ('<span class="podium-order">svm ≻ &quot;&lt;b&gt;&quot;</span>')


def test_latex_has_signs_and_escaped_names():
    assert order_of(3, "ac").to_latex() == r"$\text{a} \approx \text{b} \succsim \text{c}$"
    order = Order.from_ranks(["50%_{x}", "a&b #1 \\ ~^$<>|\n"], [1, 2])
    assert order.to_latex() == (
        r"$\text{50\%\_\{x\}} \succ \text{a\&b \#1 \textbackslash{} \textasciitilde{}"
        r"\textasciicircum{}\$\textless{}\textgreater{}\textbar{} }$"
    )


@pytest.mark.parametrize("text", ["a ∥ b ≻ c", "a ≈ b ∥ c", "a ∥ b ∥ c ≿ d", "x ≻ a ∥ b ≈ c"])
def test_incomparable_algorithms_have_a_sign(text: str) -> None:
    order = parse_order(text)
    assert order.text == text
    assert parse_order(order.ascii) == order
    assert "<>" in order.ascii
    assert r"\parallel" in order.to_latex()
    again = Order.from_pairs(order.pairs_table())
    assert again.uncompared == order.uncompared
    assert again.text.count("∥") == text.count("∥")


def test_pairs_across_the_sign_are_not_compared_and_the_others_are() -> None:
    order = parse_order("a ≈ b <> c ≻ d")
    assert order.uncompared == {("a", "c"), ("b", "c")}
    assert not order.leaves_open
    assert order.signs == {"≈", "∥", "≻"}
    assert [sign for _, sign in order.signed] == ["≈", "∥", "≻", ""]
    assert set(order.pairs_table().query("sign == '?'")["second"]) == {"c"}


@pytest.mark.parametrize(
    ("former", "text", "ascii_text"),
    [
        ("a < b", "a ≻ b", "a > b"),
        ("a ~ b < c <~ d", "a ≈ b ≻ c ≿ d", "a ~ b > c >~ d"),
        ("a ≈ b ≲ c ∥ d", "a ≈ b ≿ c ∥ d", "a ~ b >~ c <> d"),
    ],
)
def test_texts_of_earlier_versions_mean_the_same(former, text, ascii_text):
    orders = [parse_order(each) for each in (former, text, ascii_text)]
    assert orders[0] == orders[1] == orders[2]
    assert {(order.text, order.ascii) for order in orders} == {(text, ascii_text)}
