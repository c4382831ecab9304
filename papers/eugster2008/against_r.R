# The same algorithms by the R packages that the paper names, on the first 30 samples of monks3.toml.
# The samples come from Podium:
#   import pandas as pd
#   from podium.running.design.studyfile import load_study
#   study = load_study("monks3.toml"); data = study.datasets[0]
#   data.X.assign(y=data.y).to_csv("data.csv", index=False)
#   drawn = {s: study.sampler.sample(data, s)[1].splits[0] for s in range(1, 31)}
#   pd.DataFrame([(s, part, i + 1) for s, d in drawn.items() for part in ("train", "test")
#                 for i in getattr(d, part)], columns=["s", "part", "row"]).to_csv("rows.csv", index=False)
suppressMessages({library(MASS); library(e1071); library(class); library(rpart); library(nnet)})
set.seed(1)
data <- read.csv("data.csv", stringsAsFactors = TRUE); data$y <- factor(data$y)
rows <- read.csv("rows.csv")
attributes_only <- data[, names(data) != "y"]
coded <- model.matrix(~ . - 1, attributes_only,
                      contrasts.arg = lapply(attributes_only, contrasts, contrasts = FALSE))

folds_of <- function(n) sample(rep(1:10, length = n))

best_k <- function(X, y) {
  fold <- folds_of(nrow(X))
  wrong <- function(k) sum(sapply(1:10, function(i)
    sum(knn(X[fold != i, ], X[fold == i, ], y[fold != i], k = k) != y[fold == i])))
  which.min(sapply(1:floor(sqrt(nrow(X))), wrong))
}

best_size <- function(train) {
  fold <- folds_of(nrow(train))
  wrong <- function(h) sum(sapply(1:10, function(i) {
    net <- nnet(y ~ ., train[fold != i, ], size = h, trace = FALSE)
    sum(predict(net, train[fold == i, ], type = "class") != train$y[fold == i])
  }))
  which.min(sapply(1:floor(log(nrow(train))), wrong))
}

pruned <- function(train) {
  tree <- rpart(y ~ ., train, control = rpart.control(cp = 0))
  table <- tree$cptable
  best <- which.min(table[, "xerror"])
  within <- which(table[, "xerror"] <= table[best, "xerror"] + table[best, "xstd"])[1]
  prune(tree, cp = table[within, "CP"])
}

errors <- sapply(1:30, function(s) {
  a <- rows$row[rows$s == s & rows$part == "train"]
  b <- rows$row[rows$s == s & rows$part == "test"]
  train <- data[a, ]; test <- data[b, ]
  error <- function(said) mean(said != test$y)
  c(lda = error(predict(lda(y ~ ., train), test)$class),
    nb = error(predict(naiveBayes(y ~ ., train), test)),
    knn = error(knn(coded[a, ], coded[b, ], train$y, k = best_k(coded[a, ], train$y))),
    rpart = error(predict(pruned(train), test, type = "class")),
    nnet = error(predict(nnet(y ~ ., train, size = best_size(train), trace = FALSE), test,
                         type = "class")))
})
write.csv(t(errors), "r.csv", row.names = FALSE)
print(round(rowMeans(errors), 4))
