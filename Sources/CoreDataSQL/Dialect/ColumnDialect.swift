import CoreDataModelFormat
import CoreDataValues

/// The properties of a database's columns that decide how they are compared and indexed.
package protocol ColumnDialect: Sendable {
    /// Whether columns have values of their type only, and values of different types cannot be compared. Memory
    /// makes such comparisons.
    var hasTypes: Bool { get }
    /// The number of characters of a text that an index has; nil if it has all of them.
    var indexedTextLength: Int? { get }
}

/// A column of an index.
package struct IndexedColumn: Sendable, Hashable {
    package let name: SQLIdentifier
    /// Whether the column holds texts of any length.
    package let isText: Bool
    let isAscending: Bool

    init(_ name: SQLIdentifier, isText: Bool = false, isAscending: Bool = true) {
        (self.name, self.isText, self.isAscending) = (name, isText, isAscending)
    }
}

extension StoredColumn {
    /// The columns that an index of the property has: one, or one for each element.
    func indexed(isAscending: Bool = true) -> [IndexedColumn] {
        if elements.isEmpty {
            return [IndexedColumn(name, isText: isIndexedText, isAscending: isAscending)]
        }
        return elements.map { IndexedColumn($0.name, isText: $0.isIndexedText, isAscending: isAscending) }
    }
}

extension CompiledModel {
    /// Returns the names of the properties that indexes of some entities have.
    func indexedProperties(of entities: [EntityIndex]) -> Set<String> {
        var names: Set<String> = []
        for element in entities.map({ self[$0].element }) {
            names.formUnion(element.fetchIndexes.flatMap(\.elements).compactMap(\.propertyName))
            names.formUnion(element.attributes.filter(\.isIndexed).map(\.name))
            names.formUnion((element.uniquenessConstraints + element.compoundIndexes).joined())
        }
        return names
    }
}
