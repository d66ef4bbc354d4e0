import CoreDataValues

extension SQLValue {
    /// Makes one value of a list of constants, so that lists of all lengths share a statement.
    ///
    /// The result is nil unless all constants are integers or all are texts without NUL: databases disagree
    /// about lists of other values, and may end texts at NUL. Decimals of many digits, though bound as texts,
    /// do not count as texts.
    init?(listOf values: [BoundExpression]) {
        var (integers, texts): ([Int64], [String]) = ([], [])
        for value in values {
            switch value.form {
            case .value(.integer(let number)): integers.append(number)
            case .value(.text(let text))
            where value.type != .attribute(.decimal) && !text.utf8.contains(0):
                texts.append(text)
            default: return nil
            }
        }
        switch (integers.isEmpty, texts.isEmpty) {
        case (false, true): self = .integers(integers)
        case (true, false): self = .texts(texts)
        default: return nil
        }
    }
}
