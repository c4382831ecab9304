"""What is built on comparisons: stability, surveys of many data sets, plans, pages.

`reanalysis` goes the same way again: `stability` (by the `bootstrap` over blocks), `left_out`, and
`multiverse` with its `universes`. Many data sets: `by_dataset` gives `dataset_orders`;
`dataset_differences` are compared in `subgroups` (`interactions`) and modelled by `explaining`
(`linear_models`; `explained_wins`). Planning: `power`, `plan`, `pilot`, `simulated_power`,
`detection`. `analysis` is what a page rests on.
"""
