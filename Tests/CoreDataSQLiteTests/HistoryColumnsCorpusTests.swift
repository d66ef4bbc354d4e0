import CoreDataModelFormat
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@testable import CoreDataSQL

/// The masks written by Apple's framework are the specification (history-columns §2).
@Suite(
    "Column masks in histories of Apple's framework", .enabled(if: Corpus.isThere, "the corpus is absent"))
struct HistoryColumnsCorpusTests {
    private static let stores = [
        "Test-10.15.1", "Test-Cloud-10.16.0", "Test-16.0.0-beta",
    ].map { "ink-splatters__osxphotos/tests/\($0).photoslibrary/database/Photos.sqlite" }

    /// A mask and its columns: `entity of x` and `position in x` are the columns beside that of the
    /// relationship x.
    struct Sample: Sendable, CustomTestStringConvertible {
        let store: Int
        let entity: String
        /// Hexadecimal; `…` stands for any beginning.
        let mask: String
        let places: Set<String>

        init(_ store: Int, _ entity: String, _ mask: String, _ places: Set<String>) {
            (self.store, self.entity, self.mask, self.places) = (store, entity, mask, places)
        }

        var testDescription: String { "\(entity) \(mask)" }
    }

    static let samples = [
        Sample(0, "Album", "4200000000", ["keyAsset", "entity of keyAsset"]),
        Sample(0, "Album", "2040000000", ["parentFolder", "position in parentFolder"]),
        Sample(0, "Folder", "0000000080", ["childCollections"]),
        Sample(0, "Person", "40040200", ["keyFace", "keyFacePickSource", "detectedFaces"]),
        Sample(
            0, "AdditionalAssetAttributes", "08002000000002000040",
            ["sceneprint", "distanceIdentity", "sceneAnalysisVersion", "sceneClassifications"]),
        Sample(
            0, "PhotosHighlight", "000000000640", ["summaryAssets", "assets", "extendedAssets"]),
        Sample(1, "CloudSharedAlbum", "00000000800002", ["cloudLastInterestingChangeDate", "assets"]),
        Sample(1, "Asset", "000000000000000000000000080000", ["albumsBeingSecondaryKeyAssetFor"]),
        Sample(1, "MomentList", "8100", ["endDate", "momentsForYear"]),
        Sample(2, "Asset", "…0180", ["albumsBeingKeyAssets", "albums"]),
        Sample(2, "Album", "2000200080", ["position in parentFolder", "lastModifiedDate", "assets"]),
        Sample(
            2, "Moment", "0a9002",
            ["cachedCount", "cachedPhotosCount", "endDate", "modificationDate", "assets"]),
    ]

    @Test("Each bit stands for a column or a relationship", arguments: samples)
    func bits(_ sample: Sample) throws {
        let store = try HistoryStore(Self.stores[sample.store])
        let entity = try #require(store.schema.model.entity(named: sample.entity))
        let columns = HistoryColumns(entity, in: store.schema)
        let end = sample.mask.replacing("…", with: "")
        let number = try #require(store.schema[entity.index]?.number)
        let masks = try store.rows(
            """
            SELECT DISTINCT ZCOLUMNS FROM ACHANGE WHERE ZENTITY = \(number) \
            AND hex(ZCOLUMNS) LIKE \(quoting: "%" + end)
            """)
        let found = masks.compactMap { if case .blob(let mask) = $0[0] { mask } else { nil } }.filter {
            sample.mask == end || $0.dropLast(end.count / 2).allSatisfy { $0 == 0 }
        }
        let mask = try #require(found.first)
        let places = columns.columns(in: mask, isAnonymous: false)
        #expect(Set(places.map { store.name($0, of: entity) }) == sample.places)
        #expect(columns.mask(places) == mask)
    }

    @Test("A mask has one bit per column in whole bytes, and no bit after the last column", arguments: stores)
    func lengths(_ store: String) throws {
        let store = try HistoryStore(store)
        var count = 0
        for change in try store.changes() {
            guard let mask = change.mask else { continue }
            let columns = store.columns[change.row.entity]
            #expect(columns.mask(columns.columns(in: mask, isAnonymous: false)) == mask)
            count += 1
        }
        #expect(count > 300)
    }

    /// Only relationships that no later change has written still have the values of that time.
    @Test(
        "A row linked to an inserted row has the bit of its inverse relationship, if it changed",
        arguments: stores)
    func inverses(_ store: String) throws {
        let store = try HistoryStore(store)
        let changes = try store.changes()
        var tried = 0
        for (index, change) in changes.enumerated() where change.kind == .insert {
            for link in try store.links(of: change.row) {
                let later = changes[(index + 1)...]
                let partners = later.filter { $0.row == link.partner }
                guard let update = partners.first(where: { $0.transaction == change.transaction }),
                    let mask = update.mask
                else { continue }
                let isRewritten =
                    later.contains { $0.row == change.row && store.properties($0).contains(link.slot) }
                    || partners.contains {
                        $0.transaction != change.transaction && store.properties($0).contains(link.inverse)
                    }
                if isRewritten { continue }
                tried += 1
                let said = store.columns[update.row.entity].slots(in: mask, isAnonymous: false)
                #expect(said.contains(link.inverse), "\(change.row) \(link)")
            }
        }
        #expect(tried > 20)
    }
}

/// The history of a store, and the current values of its rows.
private final class HistoryStore {
    struct Change {
        let transaction: Int64
        let kind: HistoryChange.Kind
        let row: ObjectReference
        let mask: Data?
    }

    /// A relationship from one row to another whose inverse leads back.
    struct Link {
        let slot: Int
        let partner: ObjectReference
        let inverse: Int
    }

    let schema: StoreSchema
    let columns: HistoryColumnTable
    private let folder: TestFolder
    private let backend: SQLBackend
    private let connection: SQLiteConnection

    init(_ store: String) throws {
        folder = try TestFolder()
        let path = try Corpus.copy(store, to: folder)
        let model = try #require(try Corpus.model(at: path))
        backend = try SQLiteStores.open(at: path, model: model)
        schema = backend.schema
        columns = HistoryColumnTable(schema)
        connection = try SQLiteConnection(path: path, access: .readOnly)
    }

    deinit {
        connection.close()
        backend.close()
    }

    func rows(_ sql: SQLText) throws -> [[SQLValue]] { try connection.rows(sql) }

    func name(_ place: HistoryColumns.Column, of entity: CompiledEntity) -> String {
        switch place {
        case .property(let slot): entity.slots[slot].name
        case .entityNumber(let slot): "entity of \(entity.slots[slot].name)"
        case .position(let slot): "position in \(entity.slots[slot].name)"
        }
    }

    func changes() throws -> [Change] {
        let rows = try rows(
            "SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK")
        return rows.compactMap { row in
            guard case .integer(let transaction) = row[0], case .integer(let kind) = row[1],
                case .integer(let number) = row[2], case .integer(let key) = row[3],
                let kind = HistoryChange.Kind(rawValue: kind), let entity = schema.entity(numbered: number)
            else { return nil }
            let mask: Data? = if case .blob(let mask) = row[4] { mask } else { nil }
            return Change(
                transaction: transaction, kind: kind, row: ObjectReference(entity: entity, key: key),
                mask: mask)
        }
    }

    func properties(_ change: Change) -> [Int] {
        change.mask.map { columns[change.row.entity].slots(in: $0, isAnonymous: false) } ?? []
    }

    func links(of reference: ObjectReference) throws -> [Link] {
        guard let row = try backend.snapshot(for: reference) else { return [] }
        return try schema.model[reference.entity].slots.flatMap { slot -> [Link] in
            guard let inverse = slot.relationship?.inverse, !slot.isTransient else { return [] }
            let partners =
                if slot.isToMany {
                    try backend.related(slot.index, of: reference)
                } else {
                    slot.column.flatMap(row.toOne).map { [$0] } ?? []
                }
            return partners.map { Link(slot: slot.index, partner: $0, inverse: inverse) }
        }
    }
}
