import CoreData
import Forms
import Testing

@Suite("Hand-written properties with values")
@MainActor
struct ValueTests {
    private let container: NSPersistentContainer
    private var context: NSManagedObjectContext { container.viewContext }

    init() throws {
        container = try ClientTests.container("Forms")
        ColourTransformer.register()
    }

    @Test("Numbers and strings are read as they were set")
    func numbersAndTexts() throws {
        let values = Values(context: context)
        values.int16 = -16
        values.int32 = .min
        values.int64 = .max
        values.int = 1 << 40
        values.double = 0.1
        values.float = 0.5
        values.bool = true
        values.maybeCount = 3
        values.text = "größer 😀"
        values.default = "keyword"
        try context.saveAndRefault(values)
        #expect(values.int16 == -16)
        #expect(values.int32 == .min)
        #expect(values.int64 == .max)
        #expect(values.int == 1 << 40)
        #expect(values.double == 0.1)
        #expect(values.float == 0.5)
        #expect(values.bool)
        #expect(values.maybeCount == 3)
        #expect(values.text == "größer 😀")
        #expect(values.default == "keyword")
    }

    @Test("Objects are read as they were set")
    func objects() throws {
        let values = Values(context: context)
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
        let identifier = UUID()
        values.boxed = 42
        values.boxedFlag = true
        values.date = date
        values.maybeDate = date
        values.interval = 12.5
        values.data = Data([1, 2, 3])
        values.maybeData = Data()
        values.identifier = identifier
        values.link = URL(string: "https://example.org/a?b=c")
        values.decimal = Decimal(string: "12.34")!
        values.decimalNumber = NSDecimalNumber(string: "0.000001")
        try context.saveAndRefault(values)
        #expect(values.boxed == 42)
        #expect(values.boxedFlag?.boolValue == true)
        #expect(values.date == date)
        #expect(values.maybeDate == date)
        #expect(values.interval == 12.5)
        #expect(values.data == Data([1, 2, 3]))
        #expect(values.maybeData == Data())
        #expect(values.identifier == identifier)
        #expect(values.link?.query == "b=c")
        #expect(values.decimal == Decimal(string: "12.34"))
        #expect(values.decimalNumber == NSDecimalNumber(string: "0.000001"))
    }

    @Test("Optional properties start as nil and can be set to nil")
    func nothing() throws {
        let values = Values(context: context)
        #expect(values.maybeCount == nil)
        #expect(values.boxed == nil)
        #expect(values.maybeText == nil)
        #expect(values.maybeDate == nil)
        #expect(values.maybeData == nil)
        #expect(values.identifier == nil)
        #expect(values.link == nil)
        #expect(values.decimalNumber == nil)
        (values.maybeCount, values.boxed, values.maybeText) = (1, 1, "x")
        try context.saveAndRefault(values)
        (values.maybeCount, values.boxed, values.maybeText) = (nil, nil, nil)
        try context.saveAndRefault(values)
        #expect(values.maybeCount == nil)
        #expect(values.boxed == nil)
        #expect(values.maybeText == nil)
    }

    @Test("Raw-representable types wrap numbers and strings")
    func wrappers() throws {
        let values = Values(context: context)
        #expect(values.grade == .none)
        #expect(values.state == .draft)
        values.grade = .best
        values.state = .done
        try context.saveAndRefault(values)
        #expect(values.grade == .best)
        #expect(values.state == .done)
        #expect(values.value(forKey: "grade") as? Int == 2)
        #expect(values.value(forKey: "state") as? String == "done")
    }

    @Test("A number's declared type may differ from the model's")
    func otherNumbers() throws {
        let values = Values(context: context)
        for number in [3, 4] {
            values.whole = number
            values.fraction = Double(number)
            try context.saveAndRefault(values)
            #expect(values.whole == number)
            #expect(values.fraction == Double(number))
        }
    }

    @Test("Properties can be changed in place, by key path and by key")
    func access() throws {
        let values = Values(context: context)
        values.int16 += 5
        values.text.append("abc")
        values[keyPath: \.double] = 2
        values.setValue(9, forKey: "int32")
        #expect(values.int16 == 5)
        #expect(values.value(forKey: "text") as? String == "abc")
        #expect(values.value(forKeyPath: "double") as? Double == 2)
        #expect(values.int32 == 9)
        let request = NSFetchRequest<Values>(entityName: "Values")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Values.int16, ascending: true)]
        try context.save()
        #expect(try context.fetch(request) == [values])
    }

    @Test("Properties may have Objective-C types")
    func objectiveCTypes() throws {
        let heirloom = Heirloom(context: context)
        #expect(heirloom.number == 0.5)
        #expect(heirloom.forced == nil)
        #expect(heirloom.level == nil)
        let date = NSDate(timeIntervalSinceReferenceDate: 5)
        let identifier = NSUUID()
        heirloom.date = date
        heirloom.data = NSData(data: Data([1, 2]))
        heirloom.forced = "forced"
        heirloom.identifier = identifier
        heirloom.level = [.low, .high]
        heirloom.link = NSURL(string: "https://example.org")
        heirloom.number = 7
        heirloom.text = "text"
        heirloom.thing = "thing"
        try context.saveAndRefault(heirloom)
        #expect(heirloom.date == date)
        #expect(heirloom.data?.length == 2)
        #expect(heirloom.forced == "forced")
        #expect(heirloom.identifier == identifier)
        #expect(heirloom.level == [.low, .high])
        #expect(heirloom.link?.host == "example.org")
        #expect(heirloom.number == 7)
        #expect(heirloom.text == "text")
        #expect(heirloom.thing as? String == "thing")
    }

    @Test("Transformable properties hold custom types and collections")
    func transformables() throws {
        let painting = Painting(context: context)
        painting.colour = Colour(red: 255, green: 128)
        painting.plain = Colour(red: 1, green: 2)
        painting.tags = ["sea", "sky"]
        painting.scores = ["jury": 7]
        try context.saveAndRefault(painting)
        #expect(painting.colour == Colour(red: 255, green: 128))
        #expect(painting.plain == Colour(red: 1, green: 2))
        #expect(painting.tags == ["sea", "sky"])
        #expect(painting.scores == ["jury": 7])
        painting.scores = nil
        painting.tags.append("sand")
        try context.saveAndRefault(painting)
        #expect(painting.scores == nil)
        #expect(painting.tags.count == 3)
    }
}
