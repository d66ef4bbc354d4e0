/// A type of the server, by its object identifier, which is the same in every database.
package struct PostgreSQLType: Sendable, Hashable, RawRepresentable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let bool = PostgreSQLType(rawValue: 16)
    package static let bytea = PostgreSQLType(rawValue: 17)
    package static let int8 = PostgreSQLType(rawValue: 20)
    package static let int2 = PostgreSQLType(rawValue: 21)
    package static let int4 = PostgreSQLType(rawValue: 23)
    package static let text = PostgreSQLType(rawValue: 25)
    package static let float8 = PostgreSQLType(rawValue: 701)
    package static let numeric = PostgreSQLType(rawValue: 1700)
    package static let uuid = PostgreSQLType(rawValue: 2950)

    /// The type of an array of this type's values.
    package var array: PostgreSQLType { Self.arrays[self]! }

    private static let arrays: [PostgreSQLType: PostgreSQLType] = [
        .bool: PostgreSQLType(rawValue: 1000),
        .bytea: PostgreSQLType(rawValue: 1001),
        .int2: PostgreSQLType(rawValue: 1005),
        .int4: PostgreSQLType(rawValue: 1007),
        .text: PostgreSQLType(rawValue: 1009),
        .int8: PostgreSQLType(rawValue: 1016),
        .float8: PostgreSQLType(rawValue: 1022),
        .numeric: PostgreSQLType(rawValue: 1231),
        .uuid: PostgreSQLType(rawValue: 2951),
    ]
}
