import Foundation
import Testing

@testable import CoreData

@Suite("XML stores")
@MainActor
struct XMLStoreTests {
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Shelf
              Name string
              built date
              books ->> Book.shelf
            Book
              pages int16
              cover data
              shelf -> Shelf.books
            """
        ).model
    }

    @Test("A new XML file has the layout of Apple's")
    func layout() throws {
        let folder = try ScratchFolder()
        let stack = try TestStack(Self.model(), in: folder, type: .xml)
        let shelf = stack.insert(
            "Shelf", ["Name": "A <&> \"B\"", "built": Date(timeIntervalSinceReferenceDate: 1.5)])
        stack.insert("Book", ["pages": 3, "cover": Data([1, 2, 3]), "shelf": shelf])
        try stack.context.save()
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        let head = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>\(stack.coordinator.persistentStores[0].identifier!)</UUID>
                    <nextObjectID>103</nextObjectID>
                    <metadata>
                        <plist version="1.0">
                            <dict>
                                <key>NSPersistenceFrameworkVersion</key>
            """
        #expect(text.hasPrefix(head))
        #expect(!text.contains("NSStoreType"))
        #expect(!text.contains("_NSAutoVacuumLevel"))
        #expect(
            text.contains("        <attribute name=\"name\" type=\"string\">A &lt;&amp;&gt; &quot;B&quot;<"))
        #expect(text.contains("<attribute name=\"built\" type=\"date\">1.50000000000000000000</attribute>"))
        #expect(text.contains("<attribute name=\"cover\" type=\"binary\">AQID\n</attribute>"))
        #expect(text.contains("destination=\"SHELF\" idrefs=\"z10"))
        #expect(text.hasSuffix("    </object>\n</database>"))
    }

    @Test(
        "Dates are read without any loss of precision",
        arguments: [608_952_049.3692729, -599_951_027.501_071_2, 1e-9, 0.1, 1.234_567_890_123e-12])
    func dates(_ seconds: Double) throws {
        let folder = try ScratchFolder()
        let stack = try TestStack(Self.model(), in: folder, type: .xml)
        stack.insert("Shelf", ["built": Date(timeIntervalSinceReferenceDate: seconds)])
        try stack.context.save()
        let other = try TestStack(Self.model(), in: folder, type: .xml)
        let built = try other.fetch("Shelf").first?.value(forKey: "built") as? Date
        #expect(built?.timeIntervalSinceReferenceDate == seconds)
    }

    @Test("A number is found by the value that was set, in every type of file")
    func numbers() throws {
        let model = ModelSketch(
            """
            Number
              float float
              double double
              decimal decimal
            """
        ).model
        let decimal = try #require(Decimal(string: "0.12345678901234567890123456789012345678"))
        for type in [NSPersistentStore.StoreType.xml, .binary, .sqlite] {
            let folder = try ScratchFolder()
            let stack = try TestStack(model, in: folder, type: type)
            stack.insert("Number", ["float": Float(0.1), "double": 0.1 + 0.2, "decimal": decimal])
            try stack.context.save()
            let other = try TestStack(model, in: folder, type: type)
            #expect(try other.fetch("Number", "float == %@", Float(0.1)).count == 1, "\(type)")
            #expect(try other.fetch("Number", "double == %@", 0.1 + 0.2).count == 1, "\(type)")
            if type == .sqlite { continue }
            #expect(
                try other.fetch("Number", "decimal == %@", decimal as NSDecimalNumber).count == 1, "\(type)")
        }
    }

    @Test("A character that XML cannot represent fails the save and keeps the file")
    func controlCharacters() throws {
        let folder = try ScratchFolder()
        let stack = try TestStack(Self.model(), in: folder, type: .xml)
        let before = try Data(contentsOf: folder.file())
        let shelf = stack.insert("Shelf", ["Name": "a\u{1}b"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.localizedFailureReason?.contains("Shelf.Name") == true)
        #expect(try Data(contentsOf: folder.file()) == before)
        #expect(shelf.isInserted)
        shelf.setValue("ab", forKey: "Name")
        try stack.context.save()
    }

    @Test(
        "A file written by another coordinator meanwhile is not overwritten",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func overtaken(_ type: String) throws {
        let folder = try ScratchFolder()
        let type = NSPersistentStore.StoreType(rawValue: type)
        let first = try TestStack(Self.model(), in: folder, type: type)
        let second = try TestStack(Self.model(), in: folder, type: type)
        second.insert("Shelf", ["Name": "theirs"])
        try second.context.save()
        first.insert("Shelf", ["Name": "mine"])
        let error = #expect(throws: NSError.self) { try first.context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(first.context.hasChanges)
        let third = try TestStack(Self.model(), in: folder, type: type)
        #expect(try third.fetch("Shelf").map { $0.value(forKey: "Name") as? String } == ["theirs"])
    }

    // MARK: Files of others

    nonisolated static let corpus: [URL] = {
        let files = FileManager.default.enumerator(at: CorpusStore.folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.lastPathComponent == "xcmapping.xml" || $0.pathExtension == "mslice" }
            .sorted { $0.path < $1.path }
    }()

    @Test(
        "A file that is read and written again has the same content", .enabled(if: !corpus.isEmpty),
        arguments: corpus)
    func roundTrip(_ file: URL) throws {
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(at: file, to: folder.file())
        let before = try XMLStoreContent(folder.file())
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: before.model())
        if before.objects.keys.contains(where: { !$0.hasPrefix("z") }) {
            // Another program's file, whose IDs differ from Apple's.
            let error = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(
                    ofType: NSXMLStoreType, configurationName: nil, at: folder.file(),
                    options: [NSIgnorePersistentStoreVersioningOption: true as NSNumber])
            }
            #expect(error?.localizedFailureReason?.contains("an object has the ID") == true)
            return
        }
        let store = try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: nil, at: folder.file(),
            options: [NSIgnorePersistentStoreVersioningOption: true as NSNumber])
        // Makes the file be written.
        let metadata = coordinator.metadata(for: store)
        coordinator.setMetadata(metadata, for: store)
        let after = try XMLStoreContent(folder.file())
        #expect(before.objects.count > 0)
        #expect(Set(after.objects.keys) == Set(before.objects.keys))
        for (id, object) in before.objects { #expect(after.objects[id] == object, "\(id)") }
        let again = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: folder.file())
        let key = NSStoreModelVersionHashesKey
        #expect(again[key] as? [String: Data] == metadata[key] as? [String: Data])
    }

    /// Makes a device for the test, so that a failure does not remove the machine's.
    private nonisolated static func makeNullDevice(in folder: ScratchFolder) -> Bool {
        mknod(folder.file().path, S_IFCHR | 0o666, 0x103) == 0
    }

    /// Impossible in a file system without devices.
    private nonisolated static let makesDevices: Bool = {
        guard let folder = try? ScratchFolder(), makeNullDevice(in: folder) else { return false }
        return FileHandle(forUpdatingAtPath: folder.file().path) != nil
    }()

    @Test(
        "A store at the null device keeps nothing, and the device stays",
        .enabled(if: makesDevices, "no device could be made"),
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func nullDevice(type: String) throws {
        let folder = try ScratchFolder()
        let device = folder.file()
        #expect(Self.makeNullDevice(in: folder))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: device)
        let context = coordinator.context(.mainQueue)
        for name in ["a", "b"] {
            _ = context.insert("Shelf", ["Name": name])
            try context.save()
        }
        try coordinator.remove(store)
        let attributes = try FileManager.default.attributesOfItem(atPath: device.path)
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [device.lastPathComponent]
        )
    }
}
