import CoreData
import Synchronization

/// What a class that conforms to `PersistentModel` by hand leaves to the framework: the entity of objects
/// without a context, and the tokens of its properties. `@Model` writes both into other classes.
final class HandWrittenClass: Sendable {
    let template: ModelTemplate
    private let properties: [(keyPath: any AnyKeyPath & Sendable, token: ModelAccess.Property)]

    private static let known = Mutex<[ObjectIdentifier: HandWrittenClass]>([:])

    private init<Model: PersistentModel>(_ type: Model.Type) {
        template = ModelTemplate(type)
        // A key path to a property cannot change.
        properties = type.schemaMetadata.map {
            (unsafeBitCast($0.keypath, to: (any AnyKeyPath & Sendable).self), ModelAccess.property($0.name))
        }
    }

    /// Returns what is known of a class, which is asked once; outside of the lock, since the app answers.
    static func of<Model: PersistentModel>(_ type: Model.Type) -> HandWrittenClass {
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        let made = HandWrittenClass(type)
        return known.withLock { known in
            let first = known[ObjectIdentifier(type)] ?? made
            known[ObjectIdentifier(type)] = first
            return first
        }
    }

    /// Returns the token of a property; traps if `schemaMetadata` does not have the key path.
    static func property<Model: PersistentModel, Value>(
        _ keyPath: KeyPath<Model, Value>
    ) -> ModelAccess.Property {
        for property in of(Model.self).properties where property.keyPath as AnyKeyPath == keyPath {
            return property.token
        }
        programmerError(
            "\(Model.self) does not say what \(keyPath) is: give its schemaMetadata a PropertyMetadata with "
                + "the name and this key path.")
    }
}

extension ModelAccess.Property {
    /// Returns the value that an object has for the property; the type of the value tells its form.
    func value<Value>(of object: ModelObject) -> Value {
        let type = ValueType(Value.self)
        func related<Destination: PersistentModel>(_: Destination.Type) -> Any {
            if type.isArray { return ModelAccess.read(object, self) as [Destination] }
            if type.isOptional { return ModelAccess.read(object, self) as Destination? as Any }
            return ModelAccess.read(object, self) as Destination
        }
        func stored<Content: Codable>(_: Content.Type) -> Any { ModelAccess.read(object, self) as Content }
        if let model = type.element as? any PersistentModel.Type { return related(model) as! Value }
        return stored(codable(Value.self)) as! Value
    }

    /// Sets the value that an object has for the property; the type of the value tells its form.
    func set<Value>(_ value: Value, of object: ModelObject) {
        let type = ValueType(Value.self)
        func relate<Destination: PersistentModel>(_: Destination.Type) {
            if type.isArray {
                ModelAccess.write(object, self, value as? [Destination])
            } else {
                ModelAccess.write(object, self, value as? Destination)
            }
        }
        func store<Content: Codable>(_: Content.Type) {
            ModelAccess.write(object, self, value as! Content)
        }
        if let model = type.element as? any PersistentModel.Type { return relate(model) }
        store(codable(Value.self))
    }

    private func codable(_ type: Any.Type) -> any Codable.Type {
        if let codable = type as? any Codable.Type { return codable }
        programmerError(
            "\(name) is a \(type), which no store has a form for: let the type conform to Codable, or use "
                + "getTransformableValue(forKey:) and setTransformableValue(forKey:to:).")
    }
}
