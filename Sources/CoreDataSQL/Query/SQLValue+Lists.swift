import CoreDataValues

extension SQLValue {
    /// Makes a list of constants, so that every length is the same statement.
    ///
    /// It is nil for anything but integers alone or texts alone: databases disagree about lists of other
    /// values, and end texts at NUL. A decimal of many digits is bound as a text, but is none.
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
