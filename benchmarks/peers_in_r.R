# What R decides about the tables of peers.py: Rscript benchmarks/peers_in_r.R TOOL FOLDER FILE
# friedman.test with pairwise.wilcox.test (Holm), and a mixed model with Tukey's pairs (emmeans).
suppressMessages({library(lme4); library(emmeans)})
emm_options(lmer.df = "satterthwaite", lmerTest.limit = 1e5)
options(warn = -1)
level <- 0.05
said <- commandArgs(trailingOnly = TRUE)
folder <- said[2]

shapes_of <- function(text) {  # {"name": [n, blocks, k], ...} without a package for JSON
  found <- regmatches(text, gregexpr('"[^"]+": \\[[0-9, ]+\\]', text))[[1]]
  names <- sub('^"([^"]+)".*', "\\1", found)
  sizes <- lapply(sub('.*\\[(.*)\\]', "\\1", found), function(s) as.integer(strsplit(s, ",")[[1]]))
  setNames(sizes, names)
}

matrix_of <- function(first, second, decided, k) {
  m <- matrix(0L, k, k)
  for (i in which(decided)) m[first[i], second[i]] <- m[second[i], first[i]] <- 1L
  m
}

ranks <- function(table) {
  k <- ncol(table)
  if (!isTRUE(friedman.test(table)$p.value <= level)) return(matrix(0L, k, k))
  long <- data.frame(y = c(table), a = factor(rep(seq_len(k), each = nrow(table))))
  p <- pairwise.wilcox.test(long$y, long$a, p.adjust.method = "holm", paired = TRUE,
                            exact = FALSE)$p.value
  at <- which(!is.na(p), arr.ind = TRUE)
  matrix_of(at[, 1] + 1L, at[, 2], p[at] <= level, k)
}

means <- function(table) {
  k <- ncol(table)
  long <- data.frame(y = c(table), a = factor(rep(seq_len(k), each = nrow(table))),
                     block = factor(rep(seq_len(nrow(table)), k)))
  fit <- suppressMessages(lmer(y ~ a + (1 | block), long))
  found <- as.data.frame(pairs(emmeans(fit, "a")))
  pair <- t(combn(k, 2))
  matrix_of(pair[, 1], pair[, 2], found$p.value <= level, k)
}

json <- function(matrices) {
  one <- function(m) paste0("[", paste(apply(m, 1, function(r) paste0("[", paste(r, collapse = ","), "]")),
                                       collapse = ","), "]")
  paste0("[", paste(vapply(matrices, one, ""), collapse = ","), "]")
}

shapes <- shapes_of(paste(readLines(file.path(folder, "shapes.json")), collapse = ""))
tools <- list(ranks = ranks, means = means)
called <- c(ranks = "R: Friedman, Wilcoxon with Holm", means = "R: lme4 and emmeans")
decide <- tools[[said[1]]]
cases <- vapply(names(shapes), function(case) {
  s <- shapes[[case]]
  flat <- as.matrix(read.csv(file.path(folder, paste0(case, ".csv")), header = FALSE))
  decided <- lapply(seq_len(s[1]), function(i) decide(unname(flat[(i - 1) * s[2] + seq_len(s[2]), ])))
  sprintf('"%s": %s', case, json(decided))
}, "")
versions <- sprintf('"versions": {"R": "%s", "lme4": "%s", "emmeans": "%s"}', getRversion(),
                    packageVersion("lme4"), packageVersion("emmeans"))
writeLines(sprintf('{%s, "%s": {%s}}', versions, called[[said[1]]], paste(cases, collapse = ", ")),
           said[3])
