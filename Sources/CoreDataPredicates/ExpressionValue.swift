package import CoreDataValues

/// The result of an expression: a stored value, several values, an object with keys, or a value of an app's
/// own type.
package enum ExpressionValue: @unchecked Sendable, Hashable {
    case value(AttributeValue)
    /// An array (`isOrdered`) or a set.
    case collection([ExpressionValue], isOrdered: Bool)
    /// An object that key paths can lead through, such as a managed object or a dictionary.
    case object(any KeyedValues)
    /// A value of the app's own type, compared only by `Hashable`. It is boxed, since otherwise all other
    /// cases would be as slow to copy as it is.
    indirect case opaque(AnyHashable)

    package static let null = ExpressionValue.value(.null)

    // Not inlined, since sets and arrays of values would repeat all of it at each use.
    @inline(never)
    package static func == (left: ExpressionValue, right: ExpressionValue) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left == right
        case (.collection(let left, let leftOrdered), .collection(let right, let rightOrdered)):
            leftOrdered == rightOrdered && (leftOrdered ? left == right : Set(left) == Set(right))
        case (.object(let left), .object(let right)): left.identity == right.identity
        case (.opaque(let left), .opaque(let right)): left == right
        default: false
        }
    }

    @inline(never)
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .value(let value): hasher.combine(value)
        case .collection(let elements, let isOrdered):
            if isOrdered { hasher.combine(elements) } else { hasher.combine(Set(elements)) }
        case .object(let object): hasher.combine(object.identity)
        case .opaque(let value): hasher.combine(value)
        }
    }
}

/// An object whose keys the evaluator can read: a managed object, a row, a dictionary.
package protocol KeyedValues: AnyObject {
    /// The identity of the object. Two references to the same row are equal.
    var identity: AnyHashable { get }
    /// The reference of the object's row, if it has one, for `SELF == %@` and `SELF IN %@` in SQL.
    var rowReference: ObjectReference? { get }
    /// Returns the value for one key, never for a path.
    ///
    /// - Throws: `unknownKey`, unless the owner has an error of its own.
    func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue
    /// Returns whether a condition holds on values read in place; nil if a value cannot be read in place.
    func meets(_ condition: BareCondition) -> Bool?
    /// Returns the number of members of a to-many relationship, or of those that meet a condition; nil if
    /// counting would require making a value for each member.
    ///
    /// - Parameter limit: The count at which counting may stop.
    func memberCount(forKey key: String, meeting condition: BareCondition?, upTo limit: Int) -> Int?
    /// Returns whether this is an object of an entity or of one of its subentities: `CAST(SELF, "Manager")`.
    func isOf(entity name: String) -> Bool
    /// The name if this is an entity, otherwise nil. An entity equals every entity and every text with the
    /// same name.
    var entityName: String? { get }
    /// The object that an app receives: this object, or the one that it represents.
    var unboxed: Any { get }
}

extension KeyedValues {
    package func memberCount(
        forKey key: String, meeting condition: BareCondition?, upTo limit: Int
    ) -> Int? { nil }
    package func meets(_ condition: BareCondition) -> Bool? { nil }
    package func isOf(entity name: String) -> Bool { false }
    package var entityName: String? { nil }
    package var unboxed: Any { self }
}
