/// The limits that no reasonable model exceeds.
///
/// A file of some kilobytes can describe entities that inherit so many properties from each other, or
/// composites that contain so many nested elements, that they do not fit in any memory. The readers reject it
/// before they resolve its names.
package enum ModelBounds {
    /// The greatest number of levels of inheritance.
    private static let deepestDescent = 100
    /// The greatest number of properties of all entities together, including inherited ones.
    private static let mostProperties = 1_000_000
    /// The greatest number of levels of nested composites.
    private static let deepestComposites = 32
    /// The greatest number of elements of all composite attributes together, including those of nested
    /// composites.
    private static let mostElements = 100_000

    package static func require(_ document: ModelDocument) throws {
        try requireDescent(document)
        try requireComposites(document)
    }

    private static func requireDescent(_ document: ModelDocument) throws {
        let entities = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
        var total = 0
        for entity in document.entities {
            // The loop ends at a cycle, which the compiler reports.
            var visited: Set<String> = []
            var level: EntityElement? = entity
            while let current = level, visited.insert(current.name).inserted {
                guard visited.count <= deepestDescent else {
                    throw excess(
                        "more than \(deepestDescent) levels of entities, from \(entity.name) up")
                }
                total += current.attributes.count + current.relationships.count
                level = current.parentName.flatMap { entities[$0] }
            }
            guard total <= mostProperties else {
                throw excess("more than \(mostProperties) properties, inherited ones included")
            }
        }
    }

    private static func requireComposites(_ document: ModelDocument) throws {
        var counts = ElementCounts(document.composites)
        var total = 0
        for name in document.entities.lazy.flatMap(\.attributes).compactMap(\.compositeName) {
            total += try counts.elements(of: name, depth: 0)
            guard total <= mostElements else {
                throw excess("more than \(mostElements) elements of composites")
            }
        }
    }

    /// The numbers of elements of composites, each computed once.
    private struct ElementCounts {
        private let composites: [String: CompositeElement]
        /// The counts so far. Nil for a composite that is being counted, so that one that contains itself is
        /// noticed; the compiler reports it.
        private var known: [String: Int?] = [:]

        init(_ composites: [CompositeElement]) {
            self.composites = Dictionary(composites.map { ($0.name, $0) }) { first, _ in first }
        }

        mutating func elements(of name: String, depth: Int) throws -> Int {
            if let count = known[name] { return count ?? 0 }
            guard let composite = composites[name] else { return 0 }
            guard depth < deepestComposites else {
                throw excess("more than \(deepestComposites) levels of composites")
            }
            known[name] = .some(nil)
            var count = composite.attributes.count
            for inner in composite.attributes.compactMap(\.compositeName) {
                count = min(count + (try elements(of: inner, depth: depth + 1)), mostElements + 1)
            }
            known[name] = count
            return count
        }
    }

    private static func excess(_ detail: String) -> ModelFileError { ModelFileError("", .excessive(detail)) }
}
