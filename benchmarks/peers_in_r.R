# What R decides about the tables of peers.py: Rscript benchmarks/peers_in_r.R FOLDER
# friedman.test with pairwise.wilcox.test (Holm), and a mixed model with Tukey's pairs (emmeans).
suppressMessages({library(lme4); library(emmeans)})
emm_options(lmer.df = "satterthwaite", lmerTest.limit = 1e5)
options(warn = -1)
level <- 0.05
folder <- commandArgs(trailingOnly = TRUE)[1]

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
tools <- list("R: Friedman, Wilcoxon with Holm" = ranks, "R: lme4 and emmeans" = means)
parts <- character()
for (tool in names(tools)) {
  cases <- character()
  for (case in names(shapes)) {
    s <- shapes[[case]]
    flat <- as.matrix(read.csv(file.path(folder, paste0(case, ".csv")), header = FALSE))
    decided <- lapply(seq_len(s[1]), function(i)
      tools[[tool]](unname(flat[(i - 1) * s[2] + seq_len(s[2]), ])))
    cases <- c(cases, sprintf('"%s": %s', case, json(decided)))
    cat(tool, case, "\n")
  }
  parts <- c(parts, sprintf('"%s": {%s}', tool, paste(cases, collapse = ", ")))
}
versions <- sprintf('"versions": {"R": "%s", "lme4": "%s", "emmeans": "%s"}', getRversion(),
                    packageVersion("lme4"), packageVersion("emmeans"))
writeLines(paste0("{", paste(c(versions, parts), collapse = ", "), "}"),
           file.path(folder, "decided.json"))
