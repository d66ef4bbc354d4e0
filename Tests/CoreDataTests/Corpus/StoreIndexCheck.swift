import CoreData
import Foundation
import Testing

/// Queries a store's spatial indexes and derived values, and compares the results with plain SQL.
struct StoreIndexCheck {
    let context: NSManagedObjectContext
    let store: PlainStore

    private func keys(_ entity: NSEntityDescription, _ predicate: NSPredicate) throws -> [Int64] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.predicate = predicate
        return try context.fetch(request).map { StoreComparison.key(of: $0.objectID) }.sorted()
    }

    private func plainKeys(_ entity: NSEntityDescription, _ condition: String) throws -> [Int64] {
        let numbers = PlainStore.family(entity).compactMap { store.numbers[$0.name ?? ""] }.map(String.init)
        return try store.database.rows(
            "SELECT Z_PK FROM \(store.table(of: entity)) WHERE Z_ENT IN (\(numbers.joined(separator: ", "))) "
                + "AND \(condition) ORDER BY 1"
        ).compactMap { if case .integer(let key) = $0.first { key } else { nil } }
    }

    // MARK: Spatial indexes

    /// Checks that a tree has each row of its table with its bounds, and that a query by bounds finds its
    /// rows.
    func checkTree(_ tree: String) throws {
        #expect(try store.database.strings("SELECT rtreecheck('\(tree)')") == ["ok"])
        let entity = try #require(
            store.model.entities.first { tree.hasPrefix("Z_RT_\($0.name ?? "")_") }, "\(tree)")
        let table = store.table(of: entity)
        let names = try store.database.strings("SELECT name FROM pragma_table_info('\(tree)')")
        let columns = names.filter { $0.hasSuffix("_MIN") }.map { String($0.dropLast(4)) }
        #expect(
            try store.database.rows("SELECT Z_PK FROM \(tree) ORDER BY 1")
                == store.database.rows("SELECT Z_PK FROM \(table) ORDER BY 1"))
        for column in columns {
            // Bounds are stored with fewer digits, rounded outwards.
            #expect(
                try store.database.integer(
                    "SELECT COUNT(*) FROM \(tree) r JOIN \(table) t USING (Z_PK) WHERE t.\(column) NOT BETWEEN "
                        + "r.\(column)_MIN AND r.\(column)_MAX") == 0, "\(column)")
            let attribute = try #require(
                entity.attributesByName.keys.first { store.column($0, of: entity) == column })
            for (low, high) in [(-1.0, 1.0), (-90.0, 0.0), (30.0, 60.0), (-1000.0, 1000.0)] {
                let predicate = NSPredicate(format: "%K BETWEEN {%lf, %lf}", attribute, low, high)
                #expect(
                    try keys(entity, predicate)
                        == plainKeys(entity, "\(column) BETWEEN \(low) AND \(high)"), "\(column)")
            }
        }
    }

    // MARK: Derived attributes

    /// Checks that triggers derived the values that the model describes, and that queries find them. Returns
    /// how many values were checked.
    func checkDerivedAttributes() throws -> Int {
        var count = 0
        for entity in store.model.entities where !entity.isAbstract {
            for case let (name, attribute as NSDerivedAttributeDescription) in entity.attributesByName {
                guard let expression = attribute.derivationExpression,
                    let column = store.column(name, of: entity)
                else { continue }
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                for object in try context.fetch(request) {
                    let derived = object.value(forKey: name) as? NSNumber
                    let expected = expression.expressionValue(with: object, context: nil) as? NSNumber
                    #expect(derived == expected, "\(entity.name ?? "").\(name) of \(object.objectID)")
                    count += 1
                }
                for value in [0, 1, 2] {
                    #expect(
                        try keys(entity, NSPredicate(format: "%K == %d", name, value))
                            == plainKeys(entity, "\(column) = \(value)"))
                }
            }
        }
        return count
    }
}
