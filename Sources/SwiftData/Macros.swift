#if SwiftData
/// Makes a class a model: its stored properties are what a store keeps, in rows of an entity with its name.
///
/// A property is stored if its type is one that stores know, a model, an array of models, or any other type
/// that is `Codable`. A subclass of a model is a model if it has `@Model` as well.
///
/// Unlike Apple's: only models of the main context, and of contexts with `tracksObservation`, report reads to
/// observation.
@attached(
    member, conformances: ExpandedModel, names: named(_$backing), named(_$row), named(_$rows),
    named(_$object), named(_$own), named(_$whole), named(_$template), named(_$uniqueness), named(_$indices),
    named(schemaMetadata), named(init(_$backing:)))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, ExpandedModel, Observable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

/// Makes an actor work with a context of its own: it is made with a container, and its code runs on the queue
/// of the context.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init(modelContainer:)))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")

/// The accessors of a stored property; `@Model` adds it.
@_documentation(visibility: internal)
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_$s_), prefixed(_$p_))
public macro _PersistedProperty() = #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Says what an attribute asks for besides being stored.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Says what a relationship asks for besides being stored.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Keeps a stored property out of the store; fetched objects begin with its default value.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Says that no two objects have equal values for all properties of a list: saving one updates the other
/// instead.
@freestanding(declaration)
public macro Unique<Model: PersistentModel>(_ constraints: [PartialKeyPath<Model>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Asks for an index of each list of properties.
@freestanding(declaration)
public macro Index<Model: PersistentModel>(_ indices: [PartialKeyPath<Model>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Asks for indexes of given types.
@freestanding(declaration)
public macro Index<Model: PersistentModel>(_ indices: Schema.Index<Model>.Types<Model>...) =
    #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")
#else
/// Makes a class a model; needs the trait `SwiftData`.
@available(*, unavailable, message: "add traits: [\"SwiftData\"] to the dependency on this package")
@attached(extension, conformances: PersistentModel)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

/// Makes an actor work with a context of its own; needs the trait `SwiftData`.
@available(*, unavailable, message: "add traits: [\"SwiftData\"] to the dependency on this package")
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")
#endif
