public import Foundation

/// The results of a request at one moment, by object ID, in sections.
///
/// A value that may go to any thread. An addition to Apple's API.
public struct FetchedResultsSnapshot: Sendable, Equatable {
    /// A section and its results.
    public struct Section: Sendable, Equatable {
        /// The section's name; empty if the results have no sections.
        public let name: String
        /// The IDs of the section's results, in order.
        public let objectIDs: [NSManagedObjectID]
    }

    /// The sections in order; a single one without a name if the request was given no key path for names.
    public let sections: [Section]

    /// The IDs of all results, in order.
    ///
    /// Each access makes the array.
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

/// The changes of the results of a request in one event of their context.
///
/// Old positions are those before the batch, new ones those after it. To apply the batch, remove deleted and
/// moved results from the last to the first, then sections; insert sections, then inserted and moved results
/// from the first to the last.
///
/// A value that may go to any thread. An addition to Apple's API.
public struct FetchedResultsChanges: Sendable, Equatable {
    /// A section that was inserted or removed.
    public struct SectionChange: Sendable, Equatable {
        /// The section's name.
        public let name: String
        /// The section's number: before the batch if it was removed, after it if it was inserted.
        public let index: Int
    }

    /// A change of one result.
    public enum Change: Sendable, Equatable {
        /// The object is no result any more; its old position.
        case delete(NSManagedObjectID, at: IndexPath)
        /// The object has become a result; its new position.
        case insert(NSManagedObjectID, at: IndexPath)
        /// The object has another position among the others, and may have other values as well.
        case move(NSManagedObjectID, from: IndexPath, to: IndexPath)
        /// Values of the object changed, and its position among the others did not.
        case update(NSManagedObjectID, from: IndexPath, to: IndexPath)
    }

    /// The removed sections, from the last to the first.
    public let deletedSections: [SectionChange]
    /// The inserted sections, from the first to the last.
    public let insertedSections: [SectionChange]
    /// The changes of results: deletions from the last to the first, insertions from the first to the last,
    /// then moves and updates.
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
