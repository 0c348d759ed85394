//! What one player hears of a league, in order, whoever says it.
