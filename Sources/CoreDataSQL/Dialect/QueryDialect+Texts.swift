extension QueryDialect {
    /// Spells the condition that a text begins with a constant as a range, which can use an index; a function
    /// of the column cannot. Returns nil if the needle is not known, or no text follows all that begin with it.
    func prefixRange(
        of haystack: SQLFragment, _ needle: SQLFragment, constant: String?
    ) -> SQLFragment? {
        guard let constant, let end = successor(of: constant) else { return nil }
        return "(\(haystack) >= \(needle) AND \(haystack) < \(bind: .text(end)))"
    }

    /// Spells the condition of a search, which never finds the empty string. A constant needle is known not
    /// to be empty.
    func exceptEmpty(_ needle: SQLFragment, constant: String?, _ condition: SQLFragment) -> SQLFragment {
        constant == nil ? "(\(needle) <> '' AND \(condition))" : condition
    }

    /// Returns the first string, in the order of UTF-8 bytes, after all strings that begin with `prefix`.
    private func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // Surrogates are no scalars.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(String.UnicodeScalarView(scalars))
            }
        }
        return nil
    }
}

extension QueryDialect {
    /// Spells that two values of an indexed column are equal. The beginning of a text finds it in an index.
    package func isEqual(_ column: IndexedColumn, _ left: SQLFragment, _ right: SQLFragment) -> SQLText {
        let isEqual: SQLText = "\(left.sql) = \(right.sql)"
        guard column.isText else { return isEqual }
        return "\(beginning(of: left).sql) = \(beginning(of: right).sql) AND \(isEqual)"
    }
}
