import CoreDataValues

/// The writing of texts of which indexes have the beginning only.
///
/// A text and one that is shorter than that beginning compare as the beginning and the shorter one do, so that
/// the beginning stands for the whole.
extension SQLWriter {
    /// Writes a value that is compared with others.
    func write(_ value: BoundExpression, besides others: BoundExpression...) -> SQLFragment {
        write(value, besides: others)
    }

    func write(_ value: BoundExpression, besides others: [BoundExpression]) -> SQLFragment {
        guard let length = length(for: value) else { return write(value) }
        return others.allSatisfy { $0.isShorter(than: length) } ? beginning(value) : write(value)
    }

    /// Writes the beginning of a text.
    func beginning(_ value: BoundExpression) -> SQLFragment { dialect.beginning(of: write(value)) }

    /// Returns whether a value is compared with a constant that is no shorter than the beginning.
    func isLong(_ constant: BoundExpression, for value: BoundExpression) -> Bool {
        guard let length = length(for: value), constant.constantText != nil else { return false }
        return !constant.isShorter(than: length)
    }

    func member(_ value: BoundExpression, of list: SQLValue) -> SQLFragment {
        let whole = dialect.isMember(write(value), of: "\(bind: list)")
        guard let length = length(for: value), case .texts(let texts) = list else { return whole }
        let beginnings = texts.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(length))) }
        let mayBe = dialect.isMember(beginning(value), of: "\(bind: .texts(beginnings))")
        return texts.allSatisfy { $0.utf8.count < length } ? mayBe : "(\(mayBe) AND \(whole))"
    }

    /// Writes the sort keys of an order. With a limit, the beginning comes first, so that an index provides the
    /// first rows; without one, sorting by it would take twice the time.
    func order(by value: BoundExpression, _ order: BoundOrder, isLimited: Bool) -> SQLFragment {
        func key(_ sql: SQLFragment) -> SQLFragment {
            dialect.order(
                by: sql, collation: order.collation, isAscending: order.isAscending,
                isNullable: value.isNullable)
        }
        let whole = key(write(value))
        guard isLimited, order.collation == nil, length(for: value) != nil else { return whole }
        return "\(key(beginning(value))), \(whole)"
    }

    /// Returns the length of the beginning that an index has of a column; nil if the value is no such column.
    private func length(for value: BoundExpression) -> Int? {
        guard case .column(let column) = value.form, column.isIndexedText else { return nil }
        return dialect.indexedTextLength
    }
}

extension BoundExpression {
    /// Whether this is a constant text with fewer characters. Those of parameters are known to be short
    /// (`ParameterizedQuery`).
    fileprivate func isShorter(than length: Int) -> Bool {
        switch form {
        case .value(.text(let text)): text.utf8.count < length
        case .parameter: true
        default: false
        }
    }
}
