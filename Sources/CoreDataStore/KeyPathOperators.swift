/// The operators of key paths that every store knows.
package enum KeyPathOperators {
    /// Operators that make one value of many, and the functions that do the same.
    package static let folds = [
        "@count": "count:", "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:",
    ]
    /// Operators that collect values.
    package static let unions: Set<String> = ["@unionOfObjects", "@distinctUnionOfObjects"]
}
