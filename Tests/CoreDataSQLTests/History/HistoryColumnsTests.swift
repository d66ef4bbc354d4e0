import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@testable import CoreDataSQL

@Suite("The column masks of a history")
struct HistoryColumnsTests {
    // MARK: Hash order

    @Test("Names have the hash that Core Foundation gives them")
    func hashes() {
        #expect(HashOrder.hash("note") == 36_457_843_034)
        #expect(HashOrder.hash("assets") == 8_840_438_294_648_025)
        #expect(HashOrder.hash("albumLists") == 13_482_611_476_962_356_010)
    }

    @Test("The hash of a long name covers 32 units at the beginning, in the middle and at the end")
    func longNames() {
        let name = String(repeating: "a", count: 200)
        func changed(at index: Int) -> String {
            var units = Array(name.utf16)
            units[index] = UInt16(UInt8(ascii: "b"))
            return String(decoding: units, as: UTF16.self)
        }
        for (index, counts) in [
            (0, true), (31, true), (32, false), (83, false), (84, true), (115, true), (116, false),
            (167, false), (168, true), (199, true),
        ] {
            #expect((HashOrder.hash(changed(at: index)) != HashOrder.hash(name)) == counts, "\(index)")
        }
        let whole = String(repeating: "a", count: 95) + "b"
        #expect(HashOrder.hash(whole) != HashOrder.hash(String(repeating: "a", count: 96)))
    }

    @Test("A name whose slot is taken gets the next free slot, wrapping around at the end")
    func collisions() {
        #expect(["a", "b", "c", "d"].map { HashOrder.hash($0) % 13 } == [9, 12, 2, 5])
        #expect(HashOrder.sorted(["a", "b", "c", "d"], tableOf: 11) == ["c", "d", "a", "b"])
        #expect(["f", "m", "t"].map { HashOrder.hash($0) % 7 } == [6, 6, 6])
        #expect(HashOrder.sorted(["f", "m", "t"], tableOf: 6) == ["m", "t", "f"])
    }

    // MARK: Places

    private static func schema(_ entities: [EntityElement]) throws -> StoreSchema {
        let model = try ModelCompiler(ModelDocument(entities: entities)).compile()
        return try SchemaCompiler(model, dialect: SQLiteDialect()).compile().schema
    }

    private func names(_ entity: String, _ schema: StoreSchema) throws -> [String] {
        let entity = try #require(schema.model.entity(named: entity))
        let columns = HistoryColumns(entity, in: schema)
        let bits = (0..<columns.mask([]).count * 8).map { bit in
            var mask = columns.mask([])
            mask[bit / 8] = 0x80 >> UInt8(bit % 8)
            return columns.columns(in: mask, isAnonymous: false)
        }
        return bits.flatMap(\.self).map { place in
            switch place {
            case .property(let slot): entity.slots[slot].name
            case .entityNumber(let slot): "entity of \(entity.slots[slot].name)"
            case .position(let slot): "position in \(entity.slots[slot].name)"
            }
        }
    }

    private static func toOne(_ name: String, _ destination: String, _ inverse: String) -> RelationshipElement
    {
        RelationshipElement(
            name: name, destinationName: destination, inverseName: inverse, inverseEntityName: destination,
            isOptional: true)
    }

    private static func toMany(
        _ name: String, _ destination: String, _ inverse: String?, isOrdered: Bool = false
    ) -> RelationshipElement {
        RelationshipElement(
            name: name, destinationName: destination, inverseName: inverse, inverseEntityName: destination,
            isOptional: true, isOrdered: isOrdered, maximumCount: 0)
    }

    private static func attribute(_ name: String, isTransient: Bool = false) -> AttributeElement {
        AttributeElement(name: name, type: .string, isOptional: true, isTransient: isTransient)
    }

    /// A model of pieces, some of which are songs, in order on discs, with tags and composers.
    private static let music = [
        EntityElement(
            name: "Piece",
            attributes: [attribute("title"), attribute("Year"), attribute("cached", isTransient: true)],
            relationships: [
                toOne("disc", "Disc", "pieces"), toOne("sequel", "Piece", "prequel"),
                toOne("prequel", "Piece", "sequel"), toMany("tags", "Tag", "pieces"),
                toMany("notes", "Note", "piece"), toMany("loose", "Note", nil),
            ]),
        EntityElement(
            name: "Song", parentName: "Piece", attributes: [attribute("key")],
            relationships: [toOne("album", "Disc", "songs"), toMany("voices", "Note", "song")]),
        EntityElement(
            name: "Disc",
            relationships: [
                toMany("pieces", "Piece", "disc", isOrdered: true),
                toMany("songs", "Song", "album", isOrdered: true),
            ]),
        EntityElement(name: "Tag", relationships: [toMany("pieces", "Piece", "tags")]),
        EntityElement(
            name: "Note", relationships: [toOne("piece", "Piece", "notes"), toOne("song", "Song", "voices")]),
    ]

    @Test(
        "A mask lists to-ones, their entities and positions, attributes, then to-manys"
    )
    func order() throws {
        let schema = try Self.schema(Self.music)
        // These names hash to the slots 5, 20 and 34 of 41.
        #expect(
            try names("Song", schema) == [
                "disc", "prequel", "sequel", "album", "entity of prequel", "entity of sequel",
                "position in disc", "position in album", "Year", "title", "key", "loose", "voices", "notes",
                "tags",
            ])
        #expect(
            try names("Piece", schema).prefix(6) == [
                "disc", "prequel", "sequel", "entity of prequel", "entity of sequel", "position in disc",
            ])
        #expect(try names("Note", schema) == ["piece", "song", "entity of piece"])
        #expect(try Set(names("Disc", schema)) == ["pieces", "songs"])
    }

    @Test("A mask has one bit per column, in whole bytes", arguments: [1, 7, 8, 9, 15, 16, 17])
    func length(_ count: Int) throws {
        let attributes = (0..<count).map { Self.attribute("a\($0)") }
        let schema = try Self.schema([EntityElement(name: "A", attributes: attributes)])
        let columns = HistoryColumns(schema.model.entities[0], in: schema)
        #expect(columns.mask([]).count == (count + 7) / 8)
        for bit in 0..<count {
            // In the order of names, the tenth is before the second.
            let slot = schema.model.entities[0].slots[bit].index
            let mask = columns.mask([.property(slot)])
            #expect(mask[bit / 8] == 0x80 >> UInt8(bit % 8))
            #expect(columns.slots(in: mask, isAnonymous: false) == [slot])
        }
    }

    @Test("Position columns come in the order in which the table has them")
    func positions() throws {
        let model = try ModelCompiler(ModelDocument(entities: Self.music)).compile()
        let new = try SchemaCompiler(model, dialect: SQLiteDialect()).compile()
        var tables: [SQLIdentifier: [SQLIdentifier: String]] = [:]
        for table in new.tables {
            let columns = table.columns.map { ($0.name, SQLiteDialect().type(of: $0.type).string) }
            tables[table.name] = Dictionary(uniqueKeysWithValues: columns)
        }
        for join in new.schema.joinTables {
            tables[join.name] = [join.firstColumn: "INTEGER", join.secondColumn: "INTEGER"]
        }
        let numbers = new.schema.entities.compactMap(\.self).map {
            (model[$0.entity].name, $0.number)
        }
        let catalog = StoreCatalog(
            tables: tables, entityNumbers: Dictionary(uniqueKeysWithValues: numbers),
            orderColumns: ["ZPIECE": ["Z_FOK_ALBUM", "Z_FOK_DISC"]])
        let schema = try SchemaProbe(model, catalog: catalog, dialect: SQLiteDialect()).schema()
        let places = try names("Song", schema).filter { $0.hasPrefix("position") }
        #expect(places == ["position in album", "position in disc"])
    }

    // MARK: Masks of former releases

    @Test("The mask of a transaction without a bundle identifier is read by name if possible")
    func former() throws {
        let schema = try Self.schema(Self.music)
        let song = try #require(schema.model.entity(named: "Song"))
        let columns = HistoryColumns(song, in: schema)
        func properties(_ bytes: [UInt8], isAnonymous: Bool = true) -> [String] {
            columns.slots(in: Data(bytes), isAnonymous: isAnonymous).map { song.slots[$0].name }.sorted()
        }
        // Year, album, cached, disc, key, loose, notes, prequel, sequel, tags, title, voices
        #expect(properties([0xC0, 0x20]) == ["Year", "album", "title"])
        #expect(properties([0xC0, 0x20], isAnonymous: false) == ["disc", "key", "prequel"])
        // No release has written transient attributes, or a bit after the last name.
        #expect(properties([0x20, 0x00]) == ["sequel"])
        #expect(properties([0x00, 0x02]) == properties([0x00, 0x02], isAnonymous: false))
        #expect(properties([0x80]) == ["disc"])
        #expect(properties([0x80, 0x00, 0x00]) == ["disc"])
    }
}
