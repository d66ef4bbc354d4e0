/// The key path operators that every store knows.
package enum KeyPathOperators {
    /// The operators that aggregate many values into one, with the functions that compute them.
    package static let folds = [
        "@count": "count:", "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:",
    ]
    /// The operators that collect values.
    package static let unions: Set<String> = ["@unionOfObjects", "@distinctUnionOfObjects"]
}
