package import CoreDataValues

/// What an expression yields: a stored value, several, an object that answers for keys, or something only its
/// owner understands.
package enum ExpressionValue: @unchecked Sendable, Hashable {
    case value(AttributeValue)
    /// An array (`isOrdered`) or a set.
    case collection([ExpressionValue], isOrdered: Bool)
    /// A managed object, a dictionary: anything key paths can go through.
    case object(any KeyedValues)
    /// A value of the app's own type, compared by `Hashable` alone. Boxed, for it would make all the others as slow to
    /// copy as itself.
    indirect case opaque(AnyHashable)

    package static let null = ExpressionValue.value(.null)

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

/// Something the evaluator can read keys of: a managed object, a row, a dictionary.
package protocol KeyedValues: AnyObject {
    /// What tells this object from another; two references to one row are equal.
    var identity: AnyHashable { get }
    /// The reference of the row behind this object, if there is one: `SELF == %@` and `SELF IN %@` in SQL.
    var rowReference: ObjectReference? { get }
    /// The value for one key (never a path); throws `unknownKey`, unless the owner has something of its own to say.
    func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue
    /// Whether a condition holds whose values lie bare; nil wherever some value does not, or is not known to.
    func meets(_ condition: BareCondition) -> Bool?
    /// How many members a to-many relationship has that meet a condition, or all of them; nil wherever that is not known
    /// without a value being made of each.
    /// - Parameter limit: The count that is enough to know of.
    func memberCount(forKey key: String, meeting condition: BareCondition?, upTo limit: Int) -> Int?
    /// Whether this is an object of an entity, or of one below it: `CAST(SELF, "Manager")`.
    func isOf(entity name: String) -> Bool
    /// The name, if this is an entity: it equals every entity, and every text, of that name.
    var entityName: String? { get }
    /// What an app sees for this object; the object itself unless it stands for another.
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
