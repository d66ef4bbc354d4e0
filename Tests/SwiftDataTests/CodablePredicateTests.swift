#if SwiftData
import SwiftData
import Testing

@Suite("Predicates on Codable values")
struct CodablePredicateTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try memoryContainer(Parcel.self))
        for (number, status, town) in [
            ("1", Status.packed, "Bern"), ("2", .sent, "Chur"), ("3", .arrived, "Bern"),
        ] {
            let parcel = Parcel(number, sender: Address(town: town, code: number == "1" ? 3000 : nil))
            parcel.status = status
            parcel.size = number == "2" ? .large : .small
            parcel.sender.place.x = Double(number)!
            parcel.recipient = number == "3" ? Address(town: "Thun") : nil
            parcel.route = number == "1" ? .over("Thun", days: 2) : .direct
            parcel.label = Tag(rawValue: "tag \(number)")
            context.insert(parcel)
        }
        try context.save()
    }

    private func numbers(_ predicate: Predicate<Parcel>) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])).map(
            \.number)
    }

    @Test("Enumerations are compared with captured values, alone and in lists")
    func enumerations() throws {
        let (sent, large, tag) = (Status.sent, Size.large, Tag(rawValue: "tag 3"))
        #expect(try numbers(#Predicate { $0.status == sent }) == ["2"])
        #expect(try numbers(#Predicate { $0.status != sent }) == ["1", "3"])
        #expect(try numbers(#Predicate { $0.size == large }) == ["2"])
        #expect(try numbers(#Predicate { $0.label == tag }) == ["3"])
        let open: [Status] = [.packed, .sent]
        #expect(try numbers(#Predicate { open.contains($0.status) }) == ["1", "2"])
        let small: Set<Size> = [.small]
        #expect(try numbers(#Predicate { small.contains($0.size) }) == ["1", "3"])
    }

    @Test("A raw value can be asked for, other properties of an enumeration are an error")
    func rawValues() throws {
        #expect(try numbers(#Predicate { $0.status.rawValue == "sent" }) == ["2"])
        #expect(try numbers(#Predicate { $0.status.rawValue.contains("a") }) == ["1", "3"])
        #expect(try numbers(#Predicate { $0.label.rawValue == "tag 1" }) == ["1"])
        let error = #expect(throws: SwiftDataError.self) {
            try numbers(#Predicate { $0.status.title == "SENT" })
        }
        #expect(error.map { "\($0)" }?.contains("only the raw value is stored") == true)
    }

    @Test("Enumerations with associated values are compared with captured values")
    func associatedValues() throws {
        let route = Route.over("Thun", days: 2)
        #expect(try numbers(#Predicate { $0.route == route }) == ["1"])
        let direct = Route.direct
        #expect(try numbers(#Predicate { $0.route == direct }) == ["2", "3"])
    }

    @Test("Elements of structs are compared, nested and optional ones too")
    func elements() throws {
        #expect(try numbers(#Predicate { $0.sender.town == "Bern" }) == ["1", "3"])
        #expect(try numbers(#Predicate { $0.sender.place.x > 1.5 }) == ["2", "3"])
        #expect(try numbers(#Predicate { $0.sender.code == nil }) == ["2", "3"])
        #expect(try numbers(#Predicate { ($0.sender.code ?? 0) == 3000 }) == ["1"])
        #expect(try numbers(#Predicate { $0.recipient?.town == "Thun" }) == ["3"])
        #expect(try numbers(#Predicate { $0.recipient == nil }) == ["1", "2"])
        let kind = Size.small
        #expect(try numbers(#Predicate { $0.sender.kind == kind && $0.sender.town == "Chur" }) == ["2"])
        let here = Address(town: "Chur")
        #expect(try numbers(#Predicate { $0.sender.town == here.town }) == ["2"])
    }

    @Test("Results are sorted by enumerations and by elements of structs")
    func sorting() throws {
        func sorted(_ descriptor: SortDescriptor<Parcel>) throws -> [String] {
            try context.fetch(FetchDescriptor(sortBy: [descriptor])).map(\.number)
        }
        #expect(try sorted(SortDescriptor(\.status.rawValue)) == ["3", "1", "2"])
        #expect(try sorted(SortDescriptor(\.sender.place.x, order: .reverse)) == ["3", "2", "1"])
        let towns = [SortDescriptor(\Parcel.sender.town), SortDescriptor(\Parcel.number, order: .reverse)]
        #expect(try context.fetch(FetchDescriptor(sortBy: towns)).map(\.number) == ["3", "1", "2"])
    }

    @Test("Collections are compared with nil only, anything else is an error that names them")
    func wholeValues() throws {
        func message(_ predicate: Predicate<Parcel>) -> String {
            let error = #expect(throws: SwiftDataError.self) { try numbers(predicate) }
            return error.map { "\($0)" } ?? ""
        }
        let notes = ["a"]
        let reason = "notes is a collection that is stored as a whole"
        #expect(message(#Predicate { $0.notes == notes }).contains(reason))
        #expect(message(#Predicate { $0.notes.contains("a") }).contains(reason))
        #expect(message(#Predicate { !$0.notes.isEmpty }).contains(reason))
        #expect(try numbers(#Predicate { $0.stops == nil }) == ["1", "2", "3"])
    }

    @Test("A computed property that returns a Codable value stands for it")
    func aliases() throws {
        let sent = Status.sent
        #expect(try numbers(#Predicate { $0.state == sent }) == ["2"])
        #expect(try numbers(#Predicate { $0.origin.town == "Chur" }) == ["2"])
    }
}

extension Parcel {
    fileprivate var state: Status { status }
    fileprivate var origin: Address { sender }
}
#endif
