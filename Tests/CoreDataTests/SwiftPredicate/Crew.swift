import CoreData
import Foundation

/// Sailors with properties of every type, and the ships they sail on.
class Sailor: NSManagedObject {
    enum Rank: Int16, Codable, CaseIterable {
        case boy, mate, master
    }

    static let number = ManagedProperty("number")
    static let name = ManagedProperty("name")
    static let nick = ManagedProperty("nick")
    static let age = ManagedProperty("age")
    static let wage = ManagedProperty("wage")
    static let share = ManagedProperty("share")
    static let isActive = ManagedProperty("isActive")
    static let isTrained = ManagedProperty("isTrained")
    static let joined = ManagedProperty("joined")
    static let born = ManagedProperty("born")
    static let badge = ManagedProperty("badge")
    static let home = ManagedProperty("home")
    static let photo = ManagedProperty("photo")
    static let price = ManagedProperty("price")
    static let rank = ManagedProperty("rank")
    static let ship = ManagedProperty("ship")
    static let mentor = ManagedProperty("mentor")
    static let pupils = ManagedProperty("pupils")
    static let friends = ManagedProperty("friends")

    var number: Int64 { ManagedAccess.read(self, Self.number) }
    var name: String { ManagedAccess.read(self, Self.name) }
    var nick: String? { ManagedAccess.read(self, Self.nick) }
    var age: Int64 { ManagedAccess.read(self, Self.age) }
    var wage: Double { ManagedAccess.read(self, Self.wage) }
    var share: Double? { ManagedAccess.read(self, Self.share) }
    var isActive: Bool { ManagedAccess.read(self, Self.isActive) }
    var isTrained: Bool? { ManagedAccess.read(self, Self.isTrained) }
    var joined: Date { ManagedAccess.read(self, Self.joined) }
    var born: Date? { ManagedAccess.read(self, Self.born) }
    var badge: UUID { ManagedAccess.read(self, Self.badge) }
    var home: URL? { ManagedAccess.read(self, Self.home) }
    var photo: Data? { ManagedAccess.read(self, Self.photo) }
    var price: Decimal { ManagedAccess.read(self, Self.price) }
    var rank: Rank { ManagedAccess.read(self, Self.rank) }
    var ship: Ship? { ManagedAccess.read(self, Self.ship) }
    var mentor: Sailor? { ManagedAccess.read(self, Self.mentor) }
    var pupils: Set<Sailor> { ManagedAccess.read(self, Self.pupils) }
    var friends: NSSet? { ManagedAccess.read(self, Self.friends) }
    /// Initials, which are in no model.
    var initials: String { String(name.prefix(1)) }
}

final class Captain: Sailor {
    static let medals = ManagedProperty("medals")
    var medals: Int64 { ManagedAccess.read(self, Self.medals) }
}

final class Ship: NSManagedObject {
    static let title = ManagedProperty("title")
    static let flag = ManagedProperty("flag")
    static let crew = ManagedProperty("crew")

    var title: String { ManagedAccess.read(self, Self.title) }
    var flag: String? { ManagedAccess.read(self, Self.flag) }
    var crew: Set<Sailor>? { ManagedAccess.read(self, Self.crew) }
}

/// The registration that the plugin writes for an app's classes.
private let registration: Void = {
    for (keyPath, name) in sailorKeys() { ManagedClasses.register(keyPath: keyPath, name: name) }
    ManagedClasses.register(keyPath: \Captain.medals, name: "medals")
    ManagedClasses.register(keyPath: \Captain.name, name: "name")
    ManagedClasses.register(keyPath: \Ship.title, name: "title")
    ManagedClasses.register(keyPath: \Ship.flag, name: "flag")
    ManagedClasses.register(keyPath: \Ship.crew, name: "crew")
}()

private func sailorKeys() -> [(AnyKeyPath, String)] {
    [
        (\Sailor.number, "number"), (\Sailor.name, "name"), (\Sailor.nick, "nick"), (\Sailor.age, "age"),
        (\Sailor.wage, "wage"), (\Sailor.share, "share"), (\Sailor.isActive, "isActive"),
        (\Sailor.isTrained, "isTrained"), (\Sailor.joined, "joined"), (\Sailor.born, "born"),
        (\Sailor.badge, "badge"), (\Sailor.home, "home"), (\Sailor.photo, "photo"), (\Sailor.price, "price"),
        (\Sailor.rank, "rank"), (\Sailor.ship, "ship"), (\Sailor.mentor, "mentor"),
        (\Sailor.pupils, "pupils"), (\Sailor.friends, "friends"),
    ]
}

/// Returns a fleet by seed: every value occurs twice, and optional values are often nil.
@MainActor
final class Fleet {
    static let words = [
        "Ann", "ann", "Zoë", "zoe", "Bo", "bob", "Éric", "eric", "o'b", "a_b", "a%b", "a*b", "x y", "ax.y",
    ]
    static let badges = (0..<6).map {
        UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)") ?? UUID()
    }

    let stack: TestStack
    let sailors: [Sailor]

    init(seed: UInt64, count: Int = 40) throws {
        _ = registration
        let stack = try TestStack(Self.model())
        self.stack = stack
        var random = SeededGenerator(seed: seed)
        let ships = (0..<6).map { number in
            stack.insert("Ship", ["title": "Ship \(number)", "flag": number % 2 == 0 ? "se" : NSNull()])
        }
        var sailors: [NSManagedObject] = []
        for number in 0..<count {
            let sailor = stack.insert(number % 5 == 0 ? "Captain" : "Sailor", ["number": number])
            Self.fill(sailor, ships, sailors, &random)
            sailors.append(sailor)
        }
        try stack.context.save()
        self.sailors = sailors.compactMap { $0 as? Sailor }
    }

    func fetched(_ predicate: NSPredicate) throws -> [Int64] {
        let request = NSFetchRequest<Sailor>(entityName: "Sailor")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try stack.context.fetch(request).map(\.number)
    }

    private static func fill(
        _ sailor: NSManagedObject, _ ships: [NSManagedObject], _ others: [NSManagedObject],
        _ random: inout SeededGenerator
    ) {
        func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
        func maybe<Value>(_ values: [Value]) -> Any {
            guard Int.random(in: 0..<3, using: &random) > 0, let value = values.randomElement(using: &random)
            else { return NSNull() }
            return value
        }
        let dates = [-5, 0, 0.5, 4000].map(Date.init(timeIntervalSinceReferenceDate:))
        let homes = ["http://a.se/x", "http://b.se"].compactMap { URL(string: $0) }
        sailor.setValuesForKeys([
            "name": one(words), "nick": maybe(words + [""]), "age": one([-7, 0, 1, 7, 20, 30]),
            "wage": one([-0.5, 0, 2.5, 7, 20]), "share": maybe([0.25, 0.5, 3]),
            "isActive": one([true, false]),
            "isTrained": maybe([true, false]), "joined": one(dates), "born": maybe(dates),
            "badge": one(badges), "home": maybe(homes), "photo": maybe([Data(), Data([1, 2])]),
            "price": one([Decimal(1), Decimal(string: "2.5")!, Decimal(100)]), "rank": one([0, 1, 2]),
            "ship": maybe(ships), "mentor": maybe(others),
            "friends": NSSet(array: others.shuffled(using: &random).prefix(one([0, 0, 1, 3])).map { $0 }),
        ])
        if sailor.entity.name == "Captain" { sailor.setValue(one([0, 1, 5]), forKey: "medals") }
    }

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Sailor
              number int64!
              name string!
              age int64!
              wage double!
              isActive bool!
              joined date!
              badge uuid!
              price decimal!
              rank int16!
              nick string
              share double
              isTrained bool
              born date
              home uri
              photo data
              ship -> Ship.crew
              pupils ->> Sailor.mentor
              mentor -> Sailor.pupils
              friends ->> Sailor.fans
              fans ->> Sailor.friends
            Captain: Sailor
              medals int64
            Ship
              title string
              flag string
              crew ->> Sailor.ship
            """
        ).model(classes: ["Sailor": Sailor.self, "Captain": Captain.self, "Ship": Ship.self])
    }
}
