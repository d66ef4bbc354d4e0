import CoreDataMemory
@testable import CoreDataModelSource
import CoreDataSQL
import CoreDataSQLite
import CoreDataValues
import Foundation

@testable import CoreDataModelFormat

/// A file that is changed at random, by a seed, and then read.
final class Mutation {
    enum Target: CaseIterable {
        case pages, values, schema, metadata, modelCache, log, xmlStore, binaryStore, source, compiled,
            mapping,
            mappingSource, versions, export, corpus
    }

    let target: Target
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..<8 { _ = random.next() }
        target = random.pick(Target.allCases)
    }

    /// Changes a file and reads it. Returns the messages, and the files that reading changed.
    func run() throws -> (words: [String], changes: [String]) {
        let (sample, read) = try prepared()
        return try sample.read(read)
    }

    private func prepared() throws -> (SampleStore, (URL) -> HostileReading) {
        let store: (URL) -> HostileReading = { HostileReading(store: $0) }
        let model: (URL) -> HostileReading = { HostileReading(model: $0) }
        switch target {
        case .pages: return (try database { try $0.edit { $0 = self.pages($0) } }, store)
        case .values: return (try database { try self.changeValues(of: $0) }, store)
        case .schema: return (try database { try self.changeSchema(of: $0) }, store)
        case .metadata:
            return (try database { try self.change("Z_METADATA", "Z_PLIST", of: $0) { $0 } }, store)
        case .modelCache:
            return (
                try database {
                    try self.change("Z_MODELCACHE", "Z_CONTENT", of: $0) {
                        Deflate.compress(Deflate.decompress($0) ?? Data()) ?? Data()
                    }
                }, store
            )
        case .log:
            return (
                try database { sample in
                    let tail = self.bytes(Data(repeating: 7, count: self.random.number(0...9000)))
                    try tail.write(
                        to: URL(
                            fileURLWithPath: sample.url.path + self.random.pick(["-wal", "-journal", "-shm"]))
                    )
                }, store
            )
        case .xmlStore:
            return (
                try file("Sample.xml", bytes(SampleStore.xml.get()["Sample.xml"] ?? Data())),
                { HostileReading(store: $0, model: try? HostileReading.modelFile()) }
            )
        case .binaryStore:
            // The checksum would refuse it before the reader could fail.
            let changed = BinaryStoreFormat.sealed(
                bytes(try SampleStore.binary.get()["Sample.binary"] ?? Data()))
            return (
                try file("Sample.binary", changed),
                { HostileReading(store: $0, model: try? HostileReading.modelFile()) }
            )
        case .source:
            let sample = try SampleStore(
                ["Sample.xcdatamodel/contents": bytes(ModelWriter(SampleModel.document).contents())],
                store: "Sample.xcdatamodel")
            return (sample, model)
        case .compiled:
            return (try file("Sample.mom", bytes(CompiledModelWriter(SampleModel.document).mom())), model)
        case .mapping:
            return (try file("Sample.cdm", bytes(try Self.mapping())), { HostileReading(mapping: $0) })
        case .mappingSource:
            return (try file("Sample.xml", bytes(Self.mappingSource)), { HostileReading(mapping: $0) })
        case .versions:
            let mom = try CompiledModelWriter(SampleModel.document).mom()
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": "Sample"], format: .binary,
                options: 0)
            let sample = try SampleStore(
                ["Sample.momd/Sample.mom": mom, "Sample.momd/VersionInfo.plist": bytes(list)],
                store: "Sample.momd")
            return (sample, model)
        case .export:
            let text = String(decoding: bytes(try Self.export.get()), as: UTF8.self)
            return (
                try file("Sample.jsonl", Data(text.utf8)),
                { _ in HostileReading(export: text.split(separator: "\n").map(String.init)) }
            )
        case .corpus: return try corpus()
        }
    }

    private func file(_ name: String, _ data: Data) throws -> SampleStore {
        try SampleStore([name: data], store: name)
    }

    private func database(_ change: (SampleStore) throws -> Void) throws -> SampleStore {
        let sample = try SampleStore()
        // A change that SQLite refuses leaves the store as it is.
        try? change(sample)
        return sample
    }

    /// Returns a changed file of the corpus, if the corpus is beside the package.
    private func corpus() throws -> (SampleStore, (URL) -> HostileReading) {
        guard let path = Corpus.files.isEmpty ? nil : random.pick(Corpus.files) else {
            return try (database { try $0.edit { $0 = self.pages($0) } }, { HostileReading(store: $0) })
        }
        let data = try Data(contentsOf: Corpus.folder.appendingPathComponent(path))
        switch (path as NSString).lastPathComponent {
        case "contents":
            let sample = try SampleStore(
                ["Sample.xcdatamodel/contents": bytes(data)], store: "Sample.xcdatamodel")
            return (sample, { HostileReading(model: $0) })
        case let name where name.hasSuffix(".mom"):
            return (try file("Sample.mom", bytes(data)), { HostileReading(model: $0) })
        default: return (try file("Sample.sqlite", pages(data)), { HostileReading(store: $0) })
        }
    }

    // MARK: Changes

    /// Changes, drops, adds or repeats a few bytes, or cuts the end off.
    private func bytes(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<random.number(1...6) where !bytes.isEmpty {
            let position = random.number(0...bytes.count - 1)
            let end = min(bytes.count, position + random.number(1...64))
            switch random.number(0...11) {
            case 0...4: bytes[position] = byte()
            case 5: bytes[position] ^= 1 << UInt8(random.number(0...7))
            case 6: bytes.removeSubrange(position..<end)
            case 7: bytes.insert(byte(), at: position)
            case 8: bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
            case 9:
                let other = random.number(0...bytes.count - 1)
                for (index, value) in bytes[position..<end].enumerated() where other + index < bytes.count {
                    bytes[other + index] = value
                }
            case 10: for index in position..<end { bytes[index] = 0xFF }
            default: bytes.removeLast(bytes.count - position)
            }
        }
        return Data(bytes)
    }

    private func byte() -> UInt8 {
        random.pick([0, 1, 2, 5, 0x0A, 0x0D, 0x7F, 0x80, 0xFF, UInt8(random.number(0...255))])
    }

    /// Changes a file that consists of pages without changing its length, mostly in the heads of the pages,
    /// where damage has the greatest effect.
    private func pages(_ data: Data) -> Data {
        guard random.number(0...3) > 0, data.count > 8192 else { return bytes(data) }
        var bytes = [UInt8](data)
        for _ in 0..<random.number(1...8) {
            let page = random.number(0...bytes.count / 4096 - 1) * 4096
            let position =
                page + (random.number(0...1) == 0 ? random.number(0...40) : random.number(0...4095))
            if position < bytes.count { bytes[position] = byte() }
        }
        return Data(bytes)
    }

    private func changeValues(of sample: SampleStore) throws {
        let connection = try SQLiteConnection(path: sample.url.path, access: .scratch)
        defer { connection.close() }
        let tables = try connection.texts("SELECT name FROM sqlite_master WHERE sql GLOB 'CREATE TABLE *'")
        for _ in 0..<random.number(1...6) {
            let table = random.pick(tables)
            let column = random.pick(try connection.texts("SELECT name FROM pragma_table_info('\(table)')"))
            let rows = random.pick(["", " WHERE rowid % 2 = 0", " WHERE rowid = 1"])
            try? connection.run("UPDATE OR IGNORE \(table) SET \(column) = \(literal())\(rows)")
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Returns a literal that a column may not expect.
    private func literal() -> String {
        random.pick([
            "NULL", "0", "-1", "1", "2", "5", "99", "9223372036854775807", "-9223372036854775808", "1e300",
            "9e999",
            "-9e999", "1.5", "''", "'text'", "'12'", "x''", "x'00'", "x'01'", "x'02'", "zeroblob(16)",
            "zeroblob(38)",
            "zeroblob(100000)", "x'ff'", "CAST(x'ff' AS TEXT)", "CAST(x'610062' AS TEXT)",
            "x'02' || CAST('30084A1C-76CF-4976-8312-8E8EFCF6F510' AS BLOB) || x'00'", "rowid", "-rowid",
            "1 - rowid",
        ])
    }

    private func changeSchema(of sample: SampleStore) throws {
        let connection = try SQLiteConnection(path: sample.url.path, access: .scratch)
        defer { connection.close() }
        let names = try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table'")
        for _ in 0..<random.number(1...3) {
            let (table, other) = (random.pick(names), random.pick(names))
            try? connection.run(
                random.pick([
                    "DROP TABLE \"\(table)\"",
                    "DROP TABLE \"\(table)\"; CREATE VIEW \"\(table)\" AS SELECT * FROM \"\(other)\"",
                    "ALTER TABLE \"\(table)\" RENAME TO \"\(table)X\"",
                    "ALTER TABLE \"\(table)\" ADD COLUMN X AS (1 + 1)",
                    "DROP TABLE \"\(table)\"; CREATE TABLE \"\(table)\" AS SELECT * FROM \"\(other)\"",
                    "DROP TABLE \"\(table)\"; CREATE TABLE \"\(table)\" (Z_PK, Z_ENT, Z_OPT, Z_NAME, Z_SUPER, Z_MAX)",
                    "DROP TABLE \"\(table)\"; CREATE TABLE \"\(table)\" (Z_PK PRIMARY KEY) WITHOUT ROWID",
                    "CREATE INDEX X\(table) ON \"\(table)\" (abs(rowid))",
                    "CREATE TRIGGER X\(table) AFTER UPDATE ON \"\(table)\" BEGIN DELETE FROM \"\(other)\"; END",
                    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = \(random.number(0...60)) WHERE name = '\(table)'",
                    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = NULL WHERE name = '\(table)'",
                    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = '\(other)' WHERE name = '\(table)'",
                    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'view' WHERE name = '\(table)'",
                    "ANALYZE; UPDATE sqlite_stat1 SET stat = '9999999999999 1 1 1'",
                ]))
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func change(
        _ table: String, _ column: String, of sample: SampleStore, _ code: (Data) -> Data
    ) throws {
        let connection = try SQLiteConnection(path: sample.url.path, access: .scratch)
        defer { connection.close() }
        let read = try connection.prepare("SELECT \(SQLIdentifier(column)) FROM \(SQLIdentifier(table))")
        guard try read.step(), case .blob(let blob) = read.value(at: 0) else { return }
        read.reset()
        let isPacked = column == "Z_CONTENT"
        let content = isPacked && random.number(0...4) > 0 ? Deflate.decompress(blob) ?? blob : blob
        let changed = bytes(content)
        let write = try connection.prepare(
            "UPDATE \(SQLIdentifier(table)) SET \(SQLIdentifier(column)) = ?")
        try write.bind([.blob(content == blob ? changed : Deflate.compress(changed) ?? changed)])
        _ = try write.step()
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    // MARK: Samples

    private static func mapping() throws -> Data {
        var newer = SampleModel.document
        newer.entities[0].attributes.append(AttributeElement(name: "age", type: .integer16, isOptional: true))
        let evolution = ModelEvolution(
            from: try ModelCompiler(SampleModel.document).compile(), to: try ModelCompiler(newer).compile())
        return try CompiledMappingWriter(MappingDocument(evolution)).cdm()
    }

    private static let mappingSource = Data(
        """
        <?xml version="1.0" standalone="yes"?>
        <database><databaseInfo><version>134481920</version></databaseInfo>
            <object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodelpath" type="string">A.xcdatamodel</attribute>
                <attribute name="destinationmodelpath" type="string">B.xcdatamodel</attribute>
                <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z2"></relationship></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">Author</attribute>
                <attribute name="destinationname" type="string">Author</attribute>
                <attribute name="mappingtypename" type="string">Transform</attribute>
                <attribute name="mappingnumber" type="int16">1</attribute>
                <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="z3"></relationship></object>
            <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">name</attribute>
                <attribute name="autogenerateexpression" type="bool">1</attribute></object>
        </database>
        """.utf8)

    private static let export: Result<Data, any Error> = Result {
        let sample = try SampleStore()
        return Data(try HostileReading.exported(sample.url).joined(separator: "\n").utf8)
    }
}

extension SQLiteConnection {
    /// Runs SQL that was generated at random.
    func run(_ sql: String) throws { try execute(SQLText(stringLiteral: sql)) }

    /// Returns the values of a query's first column.
    func texts(_ sql: String) throws -> [String] {
        let statement = try prepare(SQLText(stringLiteral: sql))
        defer { statement.reset() }
        var result: [String] = []
        while try statement.step() {
            if case .text(let text) = statement.value(at: 0) { result.append(text) }
        }
        return result
    }
}

/// Files made by other programs, if they lie beside the package: stores and models that are small enough to
/// be read often.
enum Corpus {
    static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/corpus")
    }()

    static let files: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { path in
            let name = (path as NSString).lastPathComponent
            guard name == "contents" || ["mom", "sqlite"].contains((name as NSString).pathExtension) else {
                return false
            }
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent(path).path)
            return (attributes?[.size] as? NSNumber)?.intValue ?? .max < 300_000
        }.sorted()
    }()
}
