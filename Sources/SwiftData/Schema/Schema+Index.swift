extension Schema {
    /// The indexes of a model class, as `#Index` names them.
    public enum Index<Model: PersistentModel> {
        /// One index.
        public enum Types<Root: PersistentModel> {
            /// An index of values in their order.
            case binary([PartialKeyPath<Root>])
            /// An index that finds points and boxes by numbers, as maps ask for.
            case rtree([PartialKeyPath<Root>])
        }
    }

    /// One index of `#Index`; made by `@Model`.
    @_documentation(visibility: internal)
    public struct DeclaredIndex {
        let keyPaths: [AnyKeyPath]
        let isSpatial: Bool

        /// Makes an index of values in their order.
        public init<Model: PersistentModel>(_ keyPaths: [PartialKeyPath<Model>]) {
            self.keyPaths = keyPaths
            isSpatial = false
        }

        /// Makes an index of a type.
        public init<Model: PersistentModel>(_ index: Index<Model>.Types<Model>) {
            switch index {
            case .binary(let keyPaths): (self.keyPaths, isSpatial) = (keyPaths, false)
            case .rtree(let keyPaths): (self.keyPaths, isSpatial) = (keyPaths, true)
            }
        }
    }
}
