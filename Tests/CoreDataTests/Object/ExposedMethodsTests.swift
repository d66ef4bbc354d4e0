import Foundation
import Testing

@testable import CoreData

/// An event as apps write it, with computed section names; the registration of `@objc` members, usually
/// written by the plugin, is written by hand.
class Gathering: NSManagedObject {
    var note: String? = "none"
    var guests = 0
    var isOpen: Bool { guests < 10 }
    var initial: String { String((value(forKey: "title") as? String ?? "").prefix(1)) }

    /// A modelled attribute with accessors of its own.
    var title: String? {
        get { (primitiveValue(forKey: "title") as? String)?.uppercased() }
        set {
            willChangeValue(forKey: "title")
            setPrimitiveValue(newValue?.trimmingCharacters(in: .whitespaces), forKey: "title")
            didChangeValue(forKey: "title")
        }
    }

    /// A transient attribute that is computed on first use.
    var month: String {
        (primitiveValue(forKey: "day") as? Int ?? 0) < 31 ? "January" : "February"
    }

    func label(for name: String, at count: Int) -> String { "\(name) \(count)" }

    static let isRegistered: Bool = {
        let type = Gathering.self
        ExposedMethods.register("note", of: type) { object, _ in (object as! Gathering).note }
        ExposedMethods.register("setNote:", of: type) { object, arguments in
            (object as! Gathering).note = try arguments.value(0)
            return nil
        }
        ExposedMethods.register("guests", of: type) { object, _ in (object as! Gathering).guests }
        ExposedMethods.register("setGuests:", of: type) { object, arguments in
            (object as! Gathering).guests = try arguments.value(0)
            return nil
        }
        ExposedMethods.register("isOpen", of: type) { object, _ in (object as! Gathering).isOpen }
        ExposedMethods.register("initial", of: type) { object, _ in (object as! Gathering).initial }
        ExposedMethods.register("title", of: type) { object, _ in (object as! Gathering).title }
        ExposedMethods.register("setTitle:", of: type) { object, arguments in
            (object as! Gathering).title = try arguments.value(0)
            return nil
        }
        ExposedMethods.register("month", of: type) { object, _ in (object as! Gathering).month }
        ExposedMethods.register("labelFor:at:", of: type) { object, arguments in
            try (object as! Gathering).label(
                for: arguments.value(0) as String, at: arguments.value(1) as Int)
        }
        return true
    }()
}

final class Party: Gathering {
    override func setNilValueForKey(_ key: String) { setValue(-1, forKey: key) }
}

@Suite("Members found by their selectors")
@MainActor
struct ExposedMethodsTests {
    private let stack: TestStack

    init() throws {
        #expect(Gathering.isRegistered)
        stack = try TestStack(
            """
            Event
              title string
              day int32
              month string transient
            """, classes: ["Event": Party.self])
    }

    @Test("Key-value access reads and writes members outside of the model, inherited ones too")
    func unmodelled() {
        let event = stack.insert("Event", ["title": " ball "])
        #expect(event.value(forKey: "initial") as? String == "B")
        event.setValue("bring cake", forKey: "note")
        event.setValue(NSNumber(value: 12), forKey: "guests")
        #expect((event as? Gathering)?.note == "bring cake")
        #expect(event.value(forKey: "guests") as? Int == 12)
        #expect(event.value(forKey: "open") as? Bool == false)
        #expect(event.value(forKey: "isOpen") as? Bool == false)
        event.setValue(nil, forKey: "note")
        #expect(event.value(forKey: "note") == nil)
        #expect(event.value(forKeyPath: "note") == nil)
        event.setValue(nil, forKey: "guests")
        #expect(event.value(forKey: "guests") as? Int == -1)
    }

    @Test("Accessors that a class has for modelled properties are used for their keys")
    func modelled() throws {
        let event = stack.insert("Event", ["title": " ball ", "day": 30])
        #expect(event.primitiveValue(forKey: "title") as? String == "ball")
        #expect(event.value(forKey: "title") as? String == "BALL")
        #expect(event.hasChanges)
        #expect(event.value(forKey: "day") as? Int == 30)
        try stack.context.save()
        #expect(try stack.fetch("Event", "title == %@", "ball").count == 1)
    }

    @Test("Section names, predicates and sort descriptors in memory use exposed members")
    func reading() throws {
        for (title, day) in [("c", 3), ("a", 40), ("b", 5)] {
            stack.insert("Event", ["title": title, "day": day])
        }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
        request.sortDescriptors = [NSSortDescriptor(key: "day", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "month",
            cacheName: nil)
        try controller.performFetch()
        #expect(
            controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } == ["January 2", "February 1"])
        let events = controller.fetchedObjects ?? []
        func titles(_ format: String) -> [String] {
            events.filter { NSPredicate(format: format).evaluate(with: $0) }
                .compactMap { $0.value(forKey: "title") as? String }
        }
        #expect(titles("month == 'January'") == ["C", "B"])
        #expect(titles("initial > 'A' AND isOpen == YES") == ["C", "B"])
        #expect(titles(#"FUNCTION(SELF, "labelFor:at:", "day", day) == "day 40""#) == ["A"])
        let sorted = (events as NSArray).sortedArray(using: [
            NSSortDescriptor(key: "initial", ascending: true)
        ])
        #expect(sorted.compactMap { ($0 as? Gathering)?.initial } == ["A", "B", "C"])
    }

    @Test("Arguments may be of Swift's or Foundation's types, and others are refused")
    func arguments() throws {
        let date = Date(timeIntervalSince1970: 0)
        let arguments = MessageArguments([
            NSNumber(value: 7), "text", NSString(string: "text"), nil, Int64(8), date,
            NSDate(timeIntervalSince1970: 0),
            NSDecimalNumber(value: 2), ["a"], true,
        ])
        #expect(try arguments.value(0) as Int == 7)
        #expect(try arguments.value(0) as Double == 7)
        #expect(try arguments.value(0) as NSNumber == 7)
        #expect(try arguments.value(0) as Int16? == 7)
        #expect(try arguments.value(1) as String == "text")
        #expect(try arguments.value(1) as NSString == "text")
        #expect(try arguments.value(2) as String == "text")
        #expect(try arguments.value(2) as String? == "text")
        #expect(try arguments.value(3) as String? == nil)
        #expect(try arguments.value(3) as Any? == nil)
        #expect(try arguments.value(4) as Int == 8)
        #expect(try arguments.value(4) as NSNumber == 8)
        #expect(try arguments.value(5) as Date == date)
        #expect(try arguments.value(5) as NSDate == date as NSDate)
        #expect(try arguments.value(6) as Date == date)
        #expect(try arguments.value(7) as Decimal == 2)
        #expect(try arguments.value(8) as [String] == ["a"])
        #expect(try arguments.value(8) as NSArray == ["a"])
        #expect(try arguments.value(9) as Bool)
        #expect(try arguments.value(9) as NSNumber == 1)
        #expect(throws: UnacceptableArgument.self) { try arguments.value(1) as Int }
        #expect(throws: UnacceptableArgument.self) { try arguments.value(3) as String }
    }
}
