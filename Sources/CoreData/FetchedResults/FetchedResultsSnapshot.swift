public import Foundation

/// Results at one moment, by object ID, in sections. May go to any thread.
public struct FetchedResultsSnapshot: Sendable, Equatable {
    public struct Section: Sendable, Equatable {
        /// Empty if the results have no sections.
        public let name: String
        public let objectIDs: [NSManagedObjectID]
    }

    public let sections: [Section]

    /// All results, in order.
    public var objectIDs: [NSManagedObjectID] { sections.flatMap(\.objectIDs) }

    init(_ list: ResultList<NSObject>) {
        sections = list.sections.map { section in
            Section(name: section.name, objectIDs: section.elements.compactMap(Self.id))
        }
    }

    static func id(_ element: NSObject) -> NSManagedObjectID? {
        (element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID
    }
}

/// How results changed in one event of their context. May go to any thread.
///
/// Old places are those before the batch, new ones those after it: take out from the last to the first what was
/// deleted and what moved, then sections; put in sections, then from the first to the last what was inserted and what moved.
public struct FetchedResultsChanges: Sendable, Equatable {
    public struct SectionChange: Sendable, Equatable {
        public let name: String
        public let index: Int
    }

    public enum Change: Sendable, Equatable {
        case delete(NSManagedObjectID, at: IndexPath)
        case insert(NSManagedObjectID, at: IndexPath)
        case move(NSManagedObjectID, from: IndexPath, to: IndexPath)
        /// Its values changed, not its order among the others.
        case update(NSManagedObjectID, from: IndexPath, to: IndexPath)
    }

    /// The last first.
    public let deletedSections: [SectionChange]
    /// The first first.
    public let insertedSections: [SectionChange]
    /// Deletions, the last first, then insertions, the first first, then moves and updates.
    public let objects: [Change]

    init(_ changes: ResultChanges<NSObject>) {
        deletedSections = changes.removedSections.map { .init(name: $0.section.name, index: $0.index) }
        insertedSections = changes.insertedSections.map { .init(name: $0.section.name, index: $0.index) }
        func each<Part>(
            _ parts: [Part], _ element: (Part) -> NSObject, _ make: (Part, NSManagedObjectID) -> Change
        )
            -> [Change]
        {
            parts.compactMap { part in FetchedResultsSnapshot.id(element(part)).map { make(part, $0) } }
        }
        objects =
            each(changes.removed, \.element) { .delete($1, at: IndexPath($0.position)) }
            + each(changes.inserted, \.element) { .insert($1, at: IndexPath($0.position)) }
            + each(changes.moved, \.element) { .move($1, from: IndexPath($0.from), to: IndexPath($0.to)) }
            + each(changes.updated, \.element) { .update($1, from: IndexPath($0.from), to: IndexPath($0.to)) }
    }
}
