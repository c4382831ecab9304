"""Fresh estimators are clones, whether they are cloned or made by their class."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from podium.running.design.learners.algorithms import maker, plain_parameters


class Lists(ClassifierMixin, BaseEstimator):
    """Has a parameter that can be changed in place."""

    def __init__(self, parts=(1, 2), random_state=None):
        self.parts, self.random_state = parts, random_state


class Counts(ClassifierMixin, BaseEstimator):
    """Keeps more than it was given."""

    def __init__(self, n=1):
        self.n, self.rng = n, np.random.default_rng(n)


PLAIN = [LinearDiscriminantAnalysis(), KNeighborsClassifier(3), SVC(C=2.0), LogisticRegression()]
OTHERS = [
    Lists(),
    Lists([3]),
    Counts(2),
    make_pipeline(StandardScaler(), SVC()),
    StandardScaler().set_output(transform="pandas"),
    LinearDiscriminantAnalysis(priors=np.array([0.5, 0.5])),
    LinearDiscriminantAnalysis().fit(np.eye(4), [0, 1, 0, 1]),
]


@pytest.mark.parametrize("template", [*PLAIN, *OTHERS], ids=repr)
def test_what_is_made_is_what_clone_gives(template):
    made, expected = maker(template)(None), clone(template)
    assert type(made) is type(template)
    assert made is not template
    assert repr(made) == repr(expected)
    assert vars(made).keys() == vars(expected).keys()


def test_only_numbers_and_texts_are_plain():
    assert all(plain_parameters(template) is not None for template in PLAIN)
    assert all(plain_parameters(template) is None for template in OTHERS)


def test_open_random_states_are_set_alike_and_never_the_template_s():
    forest = RandomForestClassifier(5)
    one, two, other = (maker(forest)(seed) for seed in (1, 1, 2))
    assert one.random_state == two.random_state != other.random_state
    assert one.random_state == maker(make_pipeline(forest))(1).steps[-1][1].random_state
    assert forest.random_state is None
