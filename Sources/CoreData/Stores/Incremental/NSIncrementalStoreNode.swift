public import Foundation

/// A row of an incremental store: attributes by name, the destinations of to-one relationships as object IDs.
open class NSIncrementalStoreNode: NSObject {
    private let id: NSManagedObjectID
    private var values: [String: Any]
    private var number: UInt64

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - objectID: The ID of the row's object.
    ///   - values: Values by name. `NSNull` stands for nil. A to-one relationship without an entry is read by
    ///     a separate call.
    ///   - version: A number that grows with every change of the row.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        id = objectID
        self.values = values
        number = version
        super.init()
    }

    /// The ID of the row's object.
    open var objectID: NSManagedObjectID { id }
    /// A number that grows with every change of the row.
    open var version: UInt64 { number }

    /// Replaces the given values, and the version.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values.merge(values) { _, new in new }
        number = version
    }

    /// Returns the value of a property: `NSNull` if it is known that there is none, nil if the value is not
    /// known.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
