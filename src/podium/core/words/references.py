"""References in full, by the short form in which procedures name them.

They stand here once; texts cite them by number, in the order in which they are first cited.
"""

from __future__ import annotations

JASA = "Journal of the American Statistical Association"
ANNALS = "The Annals of Statistics"
JRSS = "Journal of the Royal Statistical Society, Series B"
THEORY = "Communications in Statistics - Theory and Methods"
FORECASTING = "International Journal of Forecasting"

REFERENCES = {
    # the papers behind Podium
    "hothorn2005": "Hothorn T, Leisch F, Zeileis A, Hornik K (2005). The design and analysis of "
    "benchmark experiments. Journal of Computational and Graphical Statistics 14(3), 675-699.",
    "feelders1995": "Feelders A, Verkooijen W (1995). Which method learns most from the data? "
    "Methodological issues in the analysis of comparative studies. Fifth "
    "International Workshop on Artificial Intelligence and Statistics.",
    "dietterich1998": "Dietterich TG (1998). Approximate statistical tests for comparing "
    "supervised classification learning algorithms. Neural Computation 10(7), 1895-1923.",
    "eugster2008": "Eugster MJA, Hothorn T, Leisch F (2008). Exploratory and inferential analysis "
    "of benchmark experiments. Technical Report 30, Department of Statistics, University of "
    "Munich.",
    "boulesteix2013": "Boulesteix AL, Hable R, Lauer S, Eugster MJA (2013). A statistical "
    "framework for hypothesis testing in real data comparison studies. Technical Report 136, "
    "Department of Statistics, University of Munich.",
    "Demšar (2006)": "Demšar J (2006). Statistical comparisons of classifiers over multiple data "
    "sets. Journal of Machine Learning Research 7, 1-30.",
    # samplings
    "Efron (1979)": "Efron B (1979). Bootstrap methods: another look at the jackknife. "
    f"{ANNALS} 7(1), 1-26.",
    "Efron (1983)": "Efron B (1983). Estimating the error rate of a prediction rule: improvement "
    f"on cross-validation. {JASA} 78(382), 316-331.",
    "Efron, Tibshirani (1993)": "Efron B, Tibshirani RJ (1993). An Introduction to the Bootstrap. "
    "Chapman & Hall, New York.",
    "Efron, Tibshirani (1997)": "Efron B, Tibshirani R (1997). Improvements on cross-validation: "
    f"the .632+ bootstrap method. {JASA} 92(438), 548-560.",
    "Rubin (1981)": f"Rubin DB (1981). The Bayesian bootstrap. {ANNALS} 9(1), 130-134.",
    "Künsch (1989)": "Künsch HR (1989). The jackknife and the bootstrap for general stationary "
    f"observations. {ANNALS} 17(3), 1217-1241.",
    "Stone (1974)": "Stone M (1974). Cross-validatory choice and assessment of statistical "
    f"predictions. {JRSS} 36(2), 111-147.",
    "Picard, Cook (1984)": "Picard RR, Cook RD (1984). Cross-validation of regression models. "
    f"{JASA} 79(387), 575-583.",
    "Tashman (2000)": "Tashman LJ (2000). Out-of-sample tests of forecasting accuracy: an analysis "
    f"and review. {FORECASTING} 16(4), 437-450.",
    "Rasmussen et al. (1996)": "Rasmussen CE, Neal RM, Hinton GE, van Camp D, Revow M, Ghahramani "
    "Z, Kustra R, Tibshirani R (1996). The DELVE Manual. University of Toronto.",
    "Bouthillier et al. (2021)": "Bouthillier X, Delaunay P, Bronzi M, Trofimov A, Nichyporuk B, "
    "Szeto J, et al. (2021). Accounting for variance in machine learning benchmarks. Proceedings "
    "of Machine Learning and Systems 3, 747-769.",
    "Price, Bonett (2002)": "Price RM, Bonett DG (2002). Distribution-free confidence intervals "
    "for difference and ratio of medians. Journal of Statistical Computation and Simulation 72(2), "
    "119-124.",
    "Bates et al. (2024)": "Bates S, Hastie T, Tibshirani R (2024). Cross-validation: what does it "
    f"estimate and how well does it do it? {JASA} 119(546), 1434-1445.",
    "Bayle et al. (2020)": "Bayle P, Bayle A, Janson L, Mackey L (2020). Cross-validation "
    "confidence intervals for test error. Advances in Neural Information Processing Systems 33, "
    "16339-16350.",
    # ranks and permutations
    "Friedman (1937)": "Friedman M (1937). The use of ranks to avoid the assumption of normality "
    f"implicit in the analysis of variance. {JASA} 32(200), 675-701.",
    "Hollander, Wolfe (1999)": "Hollander M, Wolfe DA (1999). Nonparametric Statistical Methods. "
    "2nd edition, Wiley, New York.",
    "Iman, Davenport (1980)": "Iman RL, Davenport JM (1980). Approximations of the critical region "
    f"of the Friedman statistic. {THEORY} 9(6), 571-595.",
    "Quade (1979)": "Quade D (1979). Using weighted rankings in the analysis of complete blocks "
    f"with additive block effects. {JASA} 74(367), 680-683.",
    "Hodges, Lehmann (1962)": "Hodges JL, Lehmann EL (1962). Rank methods for combination of "
    "independent experiments in analysis of variance. The Annals of Mathematical Statistics "
    "33(2), 482-497.",
    "van der Waerden (1952)": "van der Waerden BL (1952). Order tests for the two-sample problem "
    "and their power. Indagationes Mathematicae 14, 453-458.",
    "Wilcoxon (1945)": "Wilcoxon F (1945). Individual comparisons by ranking methods. Biometrics "
    "Bulletin 1(6), 80-83.",
    "Pratt (1959)": "Pratt JW (1959). Remarks on zeros and ties in the Wilcoxon signed rank "
    f"procedures. {JASA} 54(287), 655-667.",
    "Arbuthnott (1710)": "Arbuthnott J (1710). An argument for divine providence, taken from the "
    "constant regularity observ'd in the births of both sexes. Philosophical Transactions of the "
    "Royal Society 27, 186-190.",
    "Dixon, Mood (1946)": "Dixon WJ, Mood AM (1946). The statistical sign test. "
    f"{JASA} 41(236), 557-566.",
    "Fisher (1935)": "Fisher RA (1935). The Design of Experiments. Oliver & Boyd, Edinburgh.",
    "Pesarin (2001)": "Pesarin F (2001). Multivariate Permutation Tests: With Applications in "
    "Biostatistics. Wiley, Chichester.",
    "Strasser, Weber (1999)": "Strasser H, Weber C (1999). On the asymptotic theory of permutation "
    "statistics. Mathematical Methods of Statistics 8(2), 220-250.",
    "Hájek, Šidák, Sen (1999)": "Hájek J, Šidák Z, Sen PK (1999). Theory of Rank Tests. 2nd "
    "edition, Academic Press, London.",
    "Phipson, Smyth (2010)": "Phipson B, Smyth GK (2010). Permutation P-values should never be "
    "zero: calculating exact P-values when permutations are randomly drawn. Statistical "
    "Applications in Genetics and Molecular Biology 9(1), Article 39.",
    "Skillings, Mack (1981)": "Skillings JH, Mack GA (1981). On the use of a Friedman-type "
    "statistic in balanced and unbalanced block designs. Technometrics 23(2), 171-177.",
    "Durbin (1951)": "Durbin J (1951). Incomplete blocks in ranking experiments. British Journal "
    "of Psychology (Statistical Section) 4(2), 85-90.",
    # items
    "McNemar (1947)": "McNemar Q (1947). Note on the sampling error of the difference between "
    "correlated proportions or percentages. Psychometrika 12(2), 153-157.",
    "Cochran (1950)": "Cochran WG (1950). The comparison of percentages in matched samples. "
    "Biometrika 37(3/4), 256-266.",
    "Tango (1998)": "Tango T (1998). Equivalence test and confidence interval for the difference "
    "in proportions for the paired-sample design. Statistics in Medicine 17, 891-908.",
    "DeLong, DeLong, Clarke-Pearson (1988)": "DeLong ER, DeLong DM, Clarke-Pearson DL (1988). "
    "Comparing the areas under two or more correlated receiver operating characteristic curves: a "
    "nonparametric approach. Biometrics 44(3), 837-845.",
    "Hampel (1974)": "Hampel FR (1974). The influence curve and its role in robust estimation. "
    "Journal of the American Statistical Association 69, 383-393.",
    "Bell, McCaffrey (2002)": "Bell RM, McCaffrey DF (2002). Bias reduction in standard errors for "
    "linear regression with multi-stage samples. Survey Methodology 28, 169-181.",
    "Bonett, Price (2012)": "Bonett DG, Price RM (2012). Adjusted Wald confidence interval for a "
    "difference of binomial proportions based on paired data. Journal of Educational and "
    "Behavioral Statistics 37(4), 479-488.",
    "Fagerland, Lydersen, Laake (2013)": "Fagerland MW, Lydersen S, Laake P (2013). The McNemar "
    "test for binary matched-pairs data: mid-p and asymptotic are better than exact conditional. "
    "BMC Medical Research Methodology 13, 91.",
    "Marascuilo, McSweeney (1977)": "Marascuilo LA, McSweeney M (1977). Nonparametric and "
    "Distribution-Free Methods for the Social Sciences. Brooks/Cole, Monterey.",
    "Clark (1973)": "Clark HH (1973). The language-as-fixed-effect fallacy: a critique of language "
    "statistics in psychological research. Journal of Verbal Learning and Verbal Behavior 12(4), "
    "335-359.",
    "Winer (1971)": "Winer BJ (1971). Statistical Principles in Experimental Design. 2nd edition, "
    "McGraw-Hill, New York.",
    "Satterthwaite (1946)": "Satterthwaite FE (1946). An approximate distribution of estimates of "
    "variance components. Biometrics Bulletin 2(6), 110-114.",
    # folds and series
    "Nadeau, Bengio (2003)": "Nadeau C, Bengio Y (2003). Inference for the generalization error. "
    "Machine Learning 52(3), 239-281.",
    "Bouckaert, Frank (2004)": "Bouckaert RR, Frank E (2004). Evaluating the replicability of "
    "significance tests for comparing learning algorithms. Advances in Knowledge Discovery and "
    "Data Mining (PAKDD 2004), Lecture Notes in Computer Science 3056, 3-12. Springer, Berlin.",
    "Alpaydin (1999)": "Alpaydin E (1999). Combined 5 x 2 cv F test for comparing supervised "
    "classification learning algorithms. Neural Computation 11(8), 1885-1892.",
    "Diebold, Mariano (1995)": "Diebold FX, Mariano RS (1995). Comparing predictive accuracy. "
    "Journal of Business & Economic Statistics 13(3), 253-263.",
    "Harvey, Leybourne, Newbold (1997)": "Harvey D, Leybourne S, Newbold P (1997). Testing the "
    f"equality of prediction mean squared errors. {FORECASTING} 13(2), 281-291.",
    "Lazarus, Lewis, Stock, Watson (2018)": "Lazarus E, Lewis DJ, Stock JH, Watson MW (2018). HAR "
    "inference: recommendations for practice. Journal of Business & Economic Statistics 36(4), "
    "541-559.",
    "Coroneo, Iacone (2020)": "Coroneo L, Iacone F (2020). Comparing predictive accuracy in small "
    "samples using fixed-smoothing asymptotics. Journal of Applied Econometrics 35(4), 391-409.",
    # independent samples, means and models
    "Kruskal, Wallis (1952)": "Kruskal WH, Wallis WA (1952). Use of ranks in one-criterion "
    f"variance analysis. {JASA} 47(260), 583-621.",
    "Steel (1960)": "Steel RGD (1960). A rank sum test for comparing all pairs of treatments. "
    "Technometrics 2(2), 197-207.",
    "Dwass (1960)": "Dwass M (1960). Some k-sample rank-order tests. In: Olkin I et al. (eds.), "
    "Contributions to Probability and Statistics, 198-202. Stanford University Press.",
    "Critchlow, Fligner (1991)": "Critchlow DE, Fligner MA (1991). On distribution-free multiple "
    f"comparisons in the one-way analysis of variance. {THEORY} 20(1), 127-139.",
    "Games, Howell (1976)": "Games PA, Howell JF (1976). Pairwise multiple comparison procedures "
    "with unequal N's and/or variances: a Monte Carlo study. Journal of Educational Statistics "
    "1(2), 113-125.",
    "Welch (1947)": "Welch BL (1947). The generalization of Student's problem when several "
    "different population variances are involved. Biometrika 34(1-2), 28-35.",
    "Welch (1951)": "Welch BL (1951). On the comparison of several mean values: an alternative "
    "approach. Biometrika 38(3/4), 330-336.",
    "Tukey (1953)": "Tukey JW (1953). The problem of multiple comparisons. Unpublished manuscript, "
    "Princeton University.",
    "Kramer (1956)": "Kramer CY (1956). Extension of multiple range tests to group means with "
    "unequal numbers of replications. Biometrics 12(3), 307-310.",
    "Hayter (1984)": "Hayter AJ (1984). A proof of the conjecture that the Tukey-Kramer multiple "
    f"comparisons procedure is conservative. {ANNALS} 12(1), 61-75.",
    "Brown, Forsythe (1974)": "Brown MB, Forsythe AB (1974). Robust tests for the equality of "
    f"variances. {JASA} 69(346), 364-367.",
    "Searle, Speed, Milliken (1980)": "Searle SR, Speed FM, Milliken GA (1980). Population "
    "marginal means in the linear model: an alternative to least squares means. The American "
    "Statistician 34(4), 216-221.",
    # many pairs
    "Dunnett (1955)": "Dunnett CW (1955). A multiple comparison procedure for comparing several "
    f"treatments with a control. {JASA} 50(272), 1096-1121.",
    "Dunn (1961)": f"Dunn OJ (1961). Multiple comparisons among means. {JASA} 56(293), 52-64.",
    "Šidák (1967)": "Šidák Z (1967). Rectangular confidence regions for the means of multivariate "
    f"normal distributions. {JASA} 62(318), 626-633.",
    "Marcus, Peritz, Gabriel (1976)": "Marcus R, Peritz E, Gabriel KR (1976). On closed testing "
    "procedures with special reference to ordered analysis of variance. Biometrika 63(3), 655-660.",
    "Lan, DeMets (1983)": "Lan KKG, DeMets DL (1983). Discrete sequential boundaries for clinical "
    "trials. Biometrika 70(3), 659-663.",
    "Maurer, Bretz (2013)": "Maurer W, Bretz F (2013). Multiple testing in group sequential trials "
    "using graphical approaches. Statistics in Biopharmaceutical Research 5(4), 311-320.",
    "Lai (1976)": f"Lai TL (1976). On confidence sequences. {ANNALS} 4(2), 265-280.",
    "Waudby-Smith, Ramdas (2024)": "Waudby-Smith I, Ramdas A (2024). Estimating means of bounded "
    f"random variables by betting. {JRSS} 86(1), 1-27.",
    "Hall (1992)": "Hall P (1992). On the removal of skewness by transformation. "
    f"{JRSS} 54(1), 221-228.",
    "Conover, Iman (1981)": "Conover WJ, Iman RL (1981). Rank transformations as a bridge between "
    "parametric and nonparametric statistics. The American Statistician 35(3), 124-129.",
    "Smyth (2004)": "Smyth GK (2004). Linear models and empirical Bayes methods for assessing "
    "differential expression in microarray experiments. Statistical Applications in Genetics and "
    "Molecular Biology 3(1), 3.",
    "Holm (1979)": "Holm S (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6(2), 65-70.",
    "Shaffer (1986)": "Shaffer JP (1986). Modified sequentially rejective multiple test "
    f"procedures. {JASA} 81(395), 826-831.",
    "Hochberg, Tamhane (1987)": "Hochberg Y, Tamhane AC (1987). Multiple Comparison Procedures. "
    "Wiley, New York.",
    "Schuirmann (1987)": "Schuirmann DJ (1987). A comparison of the two one-sided tests procedure "
    "and the power approach for assessing the equivalence of average bioavailability. Journal of "
    "Pharmacokinetics and Biopharmaceutics 15(6), 657-680.",
    "Hochberg (1988)": "Hochberg Y (1988). A sharper Bonferroni procedure for multiple tests of "
    "significance. Biometrika 75(4), 800-802.",
    "Hommel (1988)": "Hommel G (1988). A stagewise rejective multiple test procedure based on a "
    "modified Bonferroni test. Biometrika 75(2), 383-386.",
    "Bergmann, Hommel (1988)": "Bergmann B, Hommel G (1988). Improvements of general multiple test "
    "procedures for redundant systems of hypotheses. In: Bauer P, Hommel G, Sonnemann E (eds.), "
    "Multiple Hypothesenprüfung, 100-115. Springer, Berlin.",
    "Westfall, Young (1993)": "Westfall PH, Young SS (1993). Resampling-Based Multiple Testing: "
    "Examples and Methods for p-Value Adjustment. Wiley, New York.",
    "Benjamini, Hochberg (1995)": "Benjamini Y, Hochberg Y (1995). Controlling the false discovery "
    f"rate: a practical and powerful approach to multiple testing. {JRSS} 57(1), 289-300.",
    "Hothorn, Bretz, Westfall (2008)": "Hothorn T, Bretz F, Westfall P (2008). Simultaneous "
    "inference in general parametric models. Biometrical Journal 50(3), 346-363.",
    # posteriors
    "Corani, Benavoli (2015)": "Corani G, Benavoli A (2015). A Bayesian approach for comparing "
    "cross-validated algorithms on multiple data sets. Machine Learning 100(2-3), 285-304.",
    "Benavoli, Mangili, Corani, Zaffalon, Ruggeri (2014)": "Benavoli A, Mangili F, Corani G, "
    "Zaffalon M, Ruggeri F (2014). A Bayesian Wilcoxon signed-rank test based on the Dirichlet "
    "process. International Conference on Machine Learning, 1026-1034.",
    "Corani, Benavoli, Demšar, Mangili, Zaffalon (2017)": "Corani G, Benavoli A, Demšar J, "
    "Mangili F, Zaffalon M (2017). Statistical comparison of classifiers through Bayesian "
    "hierarchical modelling. Machine Learning 106(11), 1817-1837.",
    "Box, Tiao (1973)": "Box GEP, Tiao GC (1973). Bayesian Inference in Statistical Analysis. "
    "Addison-Wesley, Reading.",
    # choices
    "Bradley, Terry (1952)": "Bradley RA, Terry ME (1952). Rank analysis of incomplete block "
    "designs: I. The method of paired comparisons. Biometrika 39(3/4), 324-345.",
    "Davidson (1970)": "Davidson RR (1970). On extending the Bradley-Terry model to accommodate "
    f"ties in paired comparison experiments. {JASA} 65(329), 317-328.",
    "Plackett (1975)": "Plackett RL (1975). The analysis of permutations. Journal of the Royal "
    "Statistical Society, Series C 24(2), 193-202.",
    "Turner, van Etten, Firth, Kosmidis (2020)": "Turner HL, van Etten J, Firth D, Kosmidis I "
    "(2020). Modelling rankings in R: the PlackettLuce package. Computational Statistics 35, "
    "1027-1057.",
    "Liang, Zeger (1986)": "Liang KY, Zeger SL (1986). Longitudinal data analysis using "
    "generalized linear models. Biometrika 73(1), 13-22.",
    # judges
    "Cochran (1977)": "Cochran WG (1977). Sampling Techniques. Third edition, Wiley, New York.",
    "Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023)": "Angelopoulos AN, Bates S, Fannjiang "
    "C, Jordan MI, Zrnic T (2023). Prediction-powered inference. Science 382(6671), 669-674.",
}


class Citations:
    """References numbered as they are first cited.

    >>> cite = Citations()
    >>> cite("Holm (1979)"), cite("Dunn (1961)", "Holm (1979)")
    (' [1]', ' [2, 1]')
    """

    def __init__(self) -> None:
        self.cited: list[str] = []

    def __call__(self, *wanted: str) -> str:
        """The numbers in brackets, behind a blank; nothing where nothing is cited."""
        keys = [key for key in dict.fromkeys(wanted) if key]
        self.cited += [key for key in keys if key not in self.cited]
        numbers = ", ".join(str(self.cited.index(key) + 1) for key in keys)
        return f" [{numbers}]" if numbers else ""

    @property
    def listed(self) -> tuple[str, ...]:
        """The references in full, in the order of their numbers."""
        return tuple(f"[{i}] {REFERENCES.get(key, key)}" for i, key in enumerate(self.cited, 1))
