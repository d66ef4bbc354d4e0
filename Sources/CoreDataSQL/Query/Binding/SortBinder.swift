import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of sort keys, by cells of a dictionary result or by key paths.
struct SortBinder {
    let scope: BindingScope

    func bind(_ sort: [SortKey]) throws(StoreError) -> [BoundOrder] {
        var order: [BoundOrder] = []
        for key in sort {
            // This throws for a comparator. A collation is ignored for anything but strings.
            let collation = try collation(of: key)
            if key.keys.count == 1, let cell = scope.cells[key.keys[0]] {
                order.append(
                    BoundOrder(
                        criterion: .cell(cell.number),
                        collation: cell.type == .string ? collation : nil,
                        isAscending: key.isAscending))
                continue
            }
            let path = ExpressionNode.keyPath(operand: .evaluatedObject, keys: key.keys)
            let expression = try scope.expressions.column(path).contents
            order.append(
                BoundOrder(
                    criterion: .expression(expression),
                    collation: expression.type.isText ? collation : nil,
                    isAscending: key.isAscending))
        }
        return order
    }

    private func collation(of key: SortKey) throws(StoreError) -> SortCollation? {
        switch key.collation {
        case .standard: return nil
        case .caseInsensitive: return .caseInsensitive
        case .localized: return .localized
        case .localizedCaseInsensitive: return .localizedCaseInsensitive
        case .localizedStandard: return .localizedStandard
        case .comparator:
            let path = key.keys.joined(separator: ".")
            throw StoreError(.inexpressible, "SQL cannot sort by a comparator (key path \(path))")
        }
    }
}
