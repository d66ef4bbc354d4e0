import CoreDataModelFormat
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

@Suite("Layout of new stores", .enabled(if: !CorpusStore.all.isEmpty))
struct NewStoreLayoutTests {
    private struct Pair: Sendable {
        let theirs: StoreLayout
        let ours: StoreLayout
        /// The archived models.
        let caches: (theirs: Data?, ours: Data?)
    }

    /// The layouts of every corpus store that opens, by path.
    private static let pairs = Dictionary(
        uniqueKeysWithValues: CorpusStore.openable.map { store in
            (store.path, Result { try makePair(store) })
        })

    private func pair(_ store: CorpusStore) throws -> Pair {
        try #require(Self.pairs[store.path]).get()
    }

    /// A corpus store, and a new one from its model with the same options.
    private static func makePair(_ store: CorpusStore) throws -> Pair {
        let folder = try ScratchFolder()
        let original = try store.copy(to: folder)
        let theirs = try StoreLayout(of: original)
        let url = folder.file("new.sqlite")
        let keepsHistory = theirs.facts["table ACHANGE"] != nil
        let options = keepsHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
        try OpenedStore(url, try store.model(), options: options).close()
        return Pair(
            theirs: theirs, ours: try StoreLayout(of: url),
            caches: (
                try SQLiteStores.modelCache(at: original.path), try SQLiteStores.modelCache(at: url.path)
            ))
    }

    @Test(
        "A new store has the tables, indexes, triggers, metadata and settings of Apple's file",
        arguments: CorpusStore.openable)
    func layout(store: CorpusStore) throws {
        let pair = try pair(store)
        for difference in pair.ours.differences(from: pair.theirs) {
            #expect(
                AcceptedDifference.all.contains { $0.covers(difference, pair.theirs) },
                "\(difference.fact)\ntheirs: \(difference.theirs ?? "-")\nours:   \(difference.ours ?? "-")")
        }
    }

    @Test("A new store creates its tables and indexes in Apple's order", arguments: CorpusStore.openable)
    func order(store: CorpusStore) throws {
        let pair = try pair(store)
        // Releases before 640 created the indexes of a table right after it.
        guard !pair.theirs.isMigrated, pair.theirs.framework >= 640 else { return }
        let (ours, theirs) = (
            pair.ours.order(sharedWith: pair.theirs), pair.theirs.order(sharedWith: pair.ours)
        )
        #expect(!ours.isEmpty)
        for (mine, other) in zip(ours, theirs) where mine != other {
            Issue.record("\(mine) stands where \(other) does in Apple's file")
            break
        }
    }

    @Test("The model cache has the same content as Apple's", arguments: CorpusStore.openable)
    func modelCache(store: CorpusStore) throws {
        let caches = try pair(store).caches
        let ours = try CompiledModelReader().read(try #require(caches.ours)).document
        guard let cache = caches.theirs else { return }
        let theirs = try CompiledModelReader().read(cache).document
        #expect(Set(ours.versionIdentifiers) == Set(theirs.versionIdentifiers))
        #expect(VersionHashes(ours).byEntity == VersionHashes(theirs).byEntity)
        let byName = Dictionary(uniqueKeysWithValues: ours.entities.map { ($0.name, $0) })
        for entity in theirs.entities {
            let mine = try #require(byName[entity.name])
            #expect(
                Set(mine.attributes.map(\.name)) == Set(entity.attributes.map(\.name)), "\(entity.name)")
            #expect(
                Set(mine.relationships.map(\.name)) == Set(entity.relationships.map(\.name)),
                "\(entity.name)")
            // A migration omits the class if it is NSManagedObject.
            let plain = "NSManagedObject"
            #expect((mine.className ?? plain) == (entity.className ?? plain), "\(entity.name)")
            #expect(mine.uniquenessConstraints == entity.uniquenessConstraints, "\(entity.name)")
            #expect(mine.fetchIndexes.map(\.name) == entity.fetchIndexes.map(\.name), "\(entity.name)")
        }
    }

    @Test("Every accepted difference occurs in the corpus", arguments: AcceptedDifference.all)
    func occurrence(accepted: AcceptedDifference) throws {
        let occurs = try CorpusStore.openable.contains { store in
            let pair = try pair(store)
            return pair.ours.differences(from: pair.theirs).contains { accepted.covers($0, pair.theirs) }
        }
        #expect(occurs)
    }
}
