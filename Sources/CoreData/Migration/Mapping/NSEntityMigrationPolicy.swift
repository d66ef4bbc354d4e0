package import CoreDataPredicates
package import CoreDataValues
public import Foundation

/// An object that carries an entity mapping out.
///
/// Subclass it, and name the class in the mapping, where expressions do not suffice.
///
/// A migration makes one policy for each entity mapping and calls it in three passes, each over all mappings
/// in order:
///
/// 1. `begin`, `createDestinationInstances` for each source object, `endInstanceCreation`
/// 2. `createRelationships` for each destination object that was associated, `endRelationshipCreation`
/// 3. `performCustomValidation`, `end`
///
/// An error that a method throws ends the migration, which throws 134170 (`NSEntityMigrationPolicyError`) of
/// `NSCocoaErrorDomain` with it as the underlying error. All calls come on the thread that migrates. Objects
/// of both sides are plain `NSManagedObject`s, whatever the classes of the models. Objects that a policy
/// keeps stay usable, but become faults from time to time.
open class NSEntityMigrationPolicy: NSObject {
    /// Makes a policy; a migration makes it by this initializer.
    public required override init() {
        super.init()
    }

    // MARK: First pass

    /// Called before the mapping's first object is made.
    ///
    /// Does nothing by default.
    ///
    /// - Throws: Nothing by default; an error of an override ends the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the destination objects for a source object, and associates them with it through the manager's
    /// `associate`.
    ///
    /// By default it makes one object of the destination entity and sets its attributes as the mapping says.
    /// A mandatory attribute for which there is no value keeps its default; numbers become numbers of the
    /// attribute's type.
    ///
    /// - Throws: By default 134110 (`NSMigrationError`) of `NSCocoaErrorDomain` for a value that the
    ///   attribute cannot have, with "entity" and "attribute", and any error of an expression.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let entity = manager.destinationEntity(for: mapping) else { return }
        let instance = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        try MappedObject(instance, from: sInstance, mapping, self, manager).setAttributes()
        manager.associate(sourceInstance: sInstance, withDestinationInstance: instance, for: mapping)
    }

    /// Called when all objects of the mapping have been made.
    ///
    /// Does nothing by default.
    ///
    /// - Throws: Nothing by default; an error of an override ends the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    // MARK: Second pass

    /// Sets the relationships of a destination object.
    ///
    /// By default it evaluates the relationship mappings.
    ///
    /// - Throws: By default any error of an expression.
    ///
    /// Unlike Apple's: a relationship for which the mapping yields nothing keeps the objects that were set
    /// through its inverse.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [dInstance]
        ).first
        try MappedObject(dInstance, from: source, mapping, self, manager).setRelationships()
    }

    /// Called when the relationships of all objects of the mapping have been set.
    ///
    /// Does nothing by default.
    ///
    /// - Throws: Nothing by default; an error of an override ends the migration.
    open func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    // MARK: Third pass

    /// Checks what was made for the mapping.
    ///
    /// Does nothing by default.
    ///
    /// - Throws: Nothing by default; an override throws if an object is not as it has to be, which ends the
    ///   migration.
    open func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Called when everything is done.
    ///
    /// Does nothing by default.
    ///
    /// - Throws: Nothing by default; an error of an override ends the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    // MARK: Expressions

    /// Returns the value of a method that a value expression names, as in `FUNCTION($entityPolicy,
    /// "fullNameOf:", $source)`.
    ///
    /// The methods that the class marks `@objc`, with any number of parameters, are found where the plugin is
    /// applied to its module. Elsewhere, or for other methods, override this and call them:
    ///
    ///     override func value(forSelector name: String, arguments: [Any?]) throws -> Any? {
    ///         switch name {
    ///         case "fullNameOf:": fullName(of: arguments[0] as! NSManagedObject)
    ///         default: try super.value(forSelector: name, arguments: arguments)
    ///         }
    ///     }
    ///
    /// - Throws: By default 134170 (`NSEntityMigrationPolicyError`) of `NSCocoaErrorDomain`, naming class and
    ///   selector, for a method that is not found.
    ///
    /// Unlike Apple's: this method is an addition; Apple's runtime calls the method by its name.
    open func value(forSelector name: String, arguments: [Any?]) throws -> Any? {
        if let method = ExposedMethods.method(name, of: type(of: self)) {
            return try method(self, MessageArguments(arguments))
        }
        throw CoreDataError.error(
            NSEntityMigrationPolicyError,
            reason: "\(type(of: self)) does not answer to \"\(name)\", which a mapping sends to its policy: "
                + "apply the plugin to its module and mark the method @objc, or override "
                + "value(forSelector:arguments:), as methods cannot be found by name on Linux.")
    }
}

extension NSEntityMigrationPolicy: MethodReceiver {
    package final var identity: AnyHashable { AnyHashable(ObjectIdentifier(self)) }
    package final var rowReference: ObjectReference? { nil }

    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        if let value = ExposedMethods.value(forKey: key, of: self) { return value }
        for mirror in sequence(first: Mirror(reflecting: self), next: \.superclassMirror) {
            if let child = mirror.children.first(where: { $0.label == key }) {
                return ExpressionValue(boxing: child.value)
            }
        }
        throw .unknownKey(key, of: "the policy \(type(of: self))")
    }

    package final func call(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
        ExpressionValue(boxing: try value(forSelector: name, arguments: arguments.map(\.unboxed)))
    }
}
