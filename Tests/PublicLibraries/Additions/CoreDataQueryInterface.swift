import PredicateQI

/// Names the library's own type, since Foundation has one of that name since 2024.
public typealias Expression = PredicateQI.Expression
