import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension ComparisonBinder {
    /// Throws for comparisons of bytes that SQL cannot make.
    ///
    /// The column of a value in an external file has the file's name, which no constant equals. SQL can
    /// therefore compare such columns with nil, and for equality with values that are too short for a file.
    func checkBytes(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) {
        if left.type != .externalData, right.type != .externalData { return }
        let sides = [left, right]
        let others = sides.filter { $0.type != .externalData }
        if sides.contains(where: \.isNull) { return }
        let isEquality = [.equalTo, .notEqualTo, .in, .contains].contains(comparison.operator)
        if isEquality, others.count == 1, others[0].isShort { return }
        throw .inexpressible(comparison, "SQL cannot compare bytes that may lie in external files")
    }
}

extension BoundExpression {
    /// The bytes that a column has or, if it names an external file, those of the file; any other expression
    /// unchanged.
    var contents: BoundExpression {
        guard type == .externalData else { return self }
        return BoundExpression(form: .call(.contents, [self]), type: .attribute(.binary))
    }
}

extension QueryOperand {
    /// Whether this is a constant, or a list of constants, too short for a file.
    fileprivate var isShort: Bool {
        if let elements { return elements.allSatisfy(\.isShort) }
        switch self {
        case .constant(.value(.data(let bytes))): return bytes.count <= ExternalBytes.longestInline
        case .constant, .parameter: return true
        case .collection, .list, .value, .query: return false
        }
    }
}
