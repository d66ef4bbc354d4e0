import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of sort keys, by cells of a dictionary result or by key paths.
struct SortBinder {
    let scope: BindingScope

    func bind(_ sort: [SortKey]) throws(StoreError) -> [BoundOrder] {
        var order: [BoundOrder] = []
        for key in sort {
            if key.keys.count == 1, let cell = scope.cells[key.keys[0]] {
                order.append(
                    BoundOrder(
                        criterion: .cell(cell.number),
                        collation: try collation(of: key, isText: cell.type == .string),
                        isAscending: key.isAscending))
                continue
            }
            let path = ExpressionNode.keyPath(operand: .evaluatedObject, keys: key.keys)
            let expression = try scope.expressions.column(path).contents
            order.append(
                BoundOrder(
                    criterion: .expression(expression),
                    collation: try collation(of: key, isText: expression.type.isText),
                    isAscending: key.isAscending))
        }
        return order
    }

    /// Returns the order of strings, which is ignored for anything else. Throws for a comparator, and if the
    /// database does not have the order.
    private func collation(of key: SortKey, isText: Bool) throws(StoreError) -> SortCollation? {
        let collation: SortCollation
        switch key.collation {
        case .standard: return nil
        case .caseInsensitive: collation = .caseInsensitive
        case .localized: collation = .localized
        case .localizedCaseInsensitive: collation = .localizedCaseInsensitive
        case .localizedStandard: collation = .localizedStandard
        case .comparator: throw Self.inexpressible(key, "SQL cannot sort by a comparator")
        }
        guard isText else { return nil }
        guard scope.frame.dialect.hasCollations else {
            throw Self.inexpressible(key, "the database does not sort strings as Foundation does")
        }
        return collation
    }

    private static func inexpressible(_ key: SortKey, _ reason: String) -> StoreError {
        StoreError(.inexpressible, "\(reason) (key path \(key.keys.joined(separator: ".")))")
    }
}
