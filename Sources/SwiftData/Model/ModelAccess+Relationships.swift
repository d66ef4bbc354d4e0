public import CoreData

extension ModelAccess {
    /// Reads an optional to-one relationship.
    public static func read<Destination: PersistentModel>(
        _ object: ModelObject, _ property: Property
    ) -> Destination? {
        if object.isBegun { return begun(object, property, Destination.self).first }
        let found: ModelObject? = ManagedAccess.read(object, property)
        return found?.model(Destination.self)
    }

    /// Returns the destinations of an object that is in no context yet.
    private static func begun<Destination: PersistentModel>(
        _ object: ModelObject, _ property: Property, _ type: Destination.Type
    ) -> [Destination] {
        object.noteRead(property.name)
        if let found = object.destinations?[property.name] { return found.map { $0 as! Destination } }
        guard let probe = KeyPathProbe.current else { return [] }
        let made = probe.makeModel(type)
        object.destinations?[property.name] = [made]
        return [made]
    }

    /// Reads a to-one relationship that always has a destination.
    ///
    /// A deletion may take the destination away. Then the relationship reads as an empty model that is in no
    /// context, and the log says so.
    public static func read<Destination: PersistentModel>(
        _ object: ModelObject, _ property: Property
    ) -> Destination {
        let found: Destination? = read(object, property)
        if let found { return found }
        FrameworkLog.error(
            "\(object.entity.name ?? "").\(property.name) has no destination, and reads as an empty one: "
                + "declare it \(Destination.self)?, since a deletion may take the destination away.")
        return ModelObject.gone(Destination.self)
    }

    /// Reads a to-many relationship: saved members in the order of their rows, then new ones.
    public static func read<Member: PersistentModel>(_ object: ModelObject, _ property: Property) -> [Member]
    {
        if object.isBegun { return begun(object, property, Member.self) }
        let members: Set<ModelObject> = ManagedAccess.read(object, property)
        return members.sorted { $0.orderInEntity < $1.orderInEntity }.map { $0.model(Member.self) }
    }

    /// Reads an optional to-many relationship; never nil once the object is in a context.
    public static func read<Member: PersistentModel>(_ object: ModelObject, _ property: Property) -> [Member]?
    {
        read(object, property) as [Member]
    }

    /// Sets a to-one relationship and its other side; inserts the destination where the object is.
    public static func write<Destination: PersistentModel>(
        _ object: ModelObject, _ property: Property, _ value: Destination?
    ) {
        if !object.isHeld { object.hold() }
        if object.isBegun {
            object.destinations?[property.name] = value.map { [$0] } ?? []
            return
        }
        ManagedAccess.write(object, property, value.map { backing(of: $0, beside: object) })
    }

    /// Sets a to-many relationship and its other side; inserts the members where the object is.
    public static func write<Member: PersistentModel>(
        _ object: ModelObject, _ property: Property, _ value: [Member]?
    ) {
        if !object.isHeld { object.hold() }
        if object.isBegun {
            object.destinations?[property.name] = value ?? []
            return
        }
        let members = (value ?? []).map { backing(of: $0, beside: object) }
        ManagedAccess.write(object, property, Set(members))
    }

    /// Returns the object behind a model, inserted into the context of another object and held there.
    private static func backing<Model: PersistentModel>(of model: Model, beside object: ModelObject)
        -> ModelObject
    {
        let backing = model.backing
        if !backing.isHeld { backing.hold() }
        if backing.isBegun {
            guard let context = object.managedObjectContext?.owner else { return backing }
            context.insert(model)
            return model.backing
        }
        return backing
    }

    /// A type of which no store has a form yet. The compiler refuses every call.
    @available(*, unavailable, message: "let the type conform to Codable, or declare the property @Transient")
    @_disfavoredOverload
    public static func read<Value>(_ object: ModelObject, _ property: Property) -> Value { fatalError() }

    /// A type of which no store has a form yet.
    @available(*, unavailable, message: "let the type conform to Codable, or declare the property @Transient")
    @_disfavoredOverload
    public static func write<Value>(_ object: ModelObject, _ property: Property, _ value: Value) {}
}
