/// A collection of models that is the type of a to-many relationship: an array.
public protocol RelationshipCollection {
    /// The class of the models.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The class of the models.
    public typealias PersistentElement = Element
}
