# Reference values from R: Rscript tests/reference/make-values.R > tests/reference/values-r.json
# Needs multcomp and psych (Debian: r-cran-multcomp r-cran-psych).
suppressPackageStartupMessages({
  library(multcomp)
  library(psych)
})
# JSON of nested lists, numbers and matrices (rows as arrays).
json <- function(x) {
  if (is.list(x)) paste0("{", paste0('"', names(x), '": ', vapply(x, json, ""), collapse = ", "), "}")
  else if (is.matrix(x)) paste0("[", paste0(apply(x, 1, json), collapse = ", "), "]")
  else if (length(x) == 1) format(x, digits = 16)
  else paste0("[", paste0(format(x, digits = 16, trim = TRUE), collapse = ", "), "]")
}
set.seed(20261130)
out <- list()

# All pairs of generators in a linear model with known correlation: the critical value of multcomp's simultaneous intervals.
# A generator's score at each prompt is independent noise, N large, so the t distribution is normal to four digits.
generators <- 4
prompts <- 400
d <- data.frame(generator = factor(rep(letters[1:generators], each = prompts)), score = rnorm(generators * prompts))
fit <- glht(lm(score ~ generator, d), linfct = mcp(generator = "Tukey"))
out$tukey <- list(generators = generators, critical = attr(confint(fit)$confint, "calpha"))

# Three correlated contrasts with one common generator (Dunnett's case).
fit <- glht(lm(score ~ generator, d), linfct = mcp(generator = "Dunnett"))
out$dunnett <- list(generators = generators, critical = attr(confint(fit)$confint, "calpha"))

# Intraclass correlations.
rows <- round(matrix(rnorm(12), 12, 5) * 2 + matrix(rnorm(60), 12, 5) + matrix(rep(rnorm(5), each = 12), 12, 5), 2)
icc <- ICC(rows, lmer = FALSE)$results
value <- function(type) icc$ICC[icc$type == type]
out$icc <- list(rows = rows, single = value("ICC1"), mean = value("ICC1k"), agreement = value("ICC2"))

# Spread of the type 7 quantile and of the normal quantile.
x <- round(rexp(11), 3)
out$quantile <- list(values = x, probabilities = c(0.025, 0.5, 0.9), expected = unname(quantile(x, c(0.025, 0.5, 0.9), type = 7)))

# Adjusted p of Holm and of Benjamini and Hochberg.
p <- c(0.01, 0.02, 0.03, 0.005, 0.04, 0.5, 0.04)
out$adjust <- list(p = p, holm = p.adjust(p, "holm"), bh = p.adjust(p, "BH"))

# A sweep: all pairs of three generators at each of four configurations whose scores correlate by 0.8 within a scene. The linear model has
# one mean a generator and configuration, with that covariance; all twelve pairwise contrasts are tested at once.
generators <- 3
configurations <- 4
correlation <- 0.8
covariance <- kronecker(correlation * matrix(1, configurations, configurations) + (1 - correlation) * diag(configurations), diag(generators))
pairs <- combn(generators, 2)
contrasts <- do.call(rbind, lapply(seq_len(configurations), function(configuration) t(apply(pairs, 2, function(pair) {
  row <- numeric(generators * configurations)
  row[(configuration - 1) * generators + pair] <- c(1, -1)
  row
}))))
fit <- glht(parm(numeric(generators * configurations), covariance), linfct = contrasts)
out$sweep <- list(generators = generators, configurations = configurations, correlation = correlation,
                  critical = attr(confint(fit)$confint, "calpha"))

cat(gsub("}, ", "},\n", json(out)), "\n")
