#if SwiftData
import SwiftData

@Model
final class Trip {
    #Unique<Trip>([\.code])
    #Index<Trip>([\.name], [\.start, \.name])

    var code: String
    @Attribute(originalName: "title") var name: String
    var start: Date?
    var seats = 4
    var rating: Double?
    var isBooked: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []
    var guide: Guide?
    @Transient var opened = 0

    var title: String { "\(code) \(name)" }

    init(code: String, name: String, guide: Guide? = nil) {
        self.code = code
        self.name = name
        self.guide = guide
    }
}

@Model
class Stay {
    var town: String = ""
    private(set) var nights: Int
    var trip: Trip?

    init(_ town: String, nights: Int, trip: Trip? = nil) {
        self.town = town
        self.nights = nights
        self.trip = trip
    }

    func extend(by more: Int) { nights += more }
}

@Model
final class Guide {
    var id = UUID()
    var name: String
    var trips: [Trip] = []

    init(name: String) { self.name = name }
}

/// One property of each type that a store has a form for, required and optional.
@Model
final class Everything {
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var bool = false
    var double = 0.0
    var float: Float = 0
    var decimal: Decimal = 0
    var string = ""
    var data = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID()
    var url = URL(filePath: "/")
    var maybeInt: Int?
    var maybeString: String?
    var maybeDate: Date?
    var maybeData: Data?
    var maybeURL: URL?

    init() {}
}

/// Returns a container with a new store in memory.
func memoryContainer(_ types: any PersistentModel.Type...) throws -> ModelContainer {
    try ModelContainer(for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

/// A store's file in a folder of its own, until a test removes it.
struct ScratchStore {
    let url: URL

    init() throws {
        let folder = URL.temporaryDirectory.appending(path: "SwiftData-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: "default.store")
    }

    func remove() { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
    }
}
#endif
