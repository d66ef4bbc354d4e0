import CoreData
import Testing

/// Source forms that clients of Apple's framework use and that need a special declaration here: most of these
/// tests pass by compiling.
@Suite("Source forms of Apple's systems")
struct SourceFormsTests {
    @Test("self.init in a static method creates coordinators, contexts and containers")
    func staticInitializers() {
        let model = NSManagedObjectModel()
        #expect(NSPersistentStoreCoordinator.make(model).managedObjectModel == model)
        #expect(NSManagedObjectContext.make().concurrencyType == .privateQueueConcurrencyType)
        #expect(NSPersistentContainer.make(model).name == "made")
    }

    @Test("A value transformer may have designated initializers of its own")
    func transformers() {
        let transformer = PrefixTransformer(prefix: "<")
        let name = NSValueTransformerName("PrefixTransformer of SourceFormsTests")
        ValueTransformer.setValueTransformer(transformer, forName: name)
        #expect(ValueTransformer(forName: name)?.transformedValue("a") as? String == "<a")
    }

    @Test("A transformer without registration is created by the name of its class")
    func transformersByClass() {
        ManagedClasses.register(transformer: "UpperTransformer", module: "App") { UpperTransformer() }
        let bare = ValueTransformer(forName: "UpperTransformer")
        #expect(bare?.transformedValue("a") as? String == "A")
        #expect(ValueTransformer(forName: "App.UpperTransformer") != nil)
        #expect(ValueTransformer(forName: "Another.UpperTransformer") == nil)
    }

    @Test("Sort descriptors take key paths to optional properties")
    func optionalKeyPaths() {
        ManagedClasses.register(keyPath: \Employee.name, name: "name")
        let descriptor = NSSortDescriptor(keyPath: \Employee.name, ascending: false)
        #expect(descriptor.key == "name")
        #expect(!descriptor.ascending)
    }

    @Test("Notifications are a sequence")
    func notificationSequence() async {
        let name = Notification.Name("SourceFormsTests")
        var notifications = NotificationCenter.default.notifications(named: name).makeAsyncIterator()
        NotificationCenter.default.post(name: name, object: nil, userInfo: ["number": 1])
        #expect(await notifications.next()?.userInfo?["number"] as? Int == 1)
    }

    @Test("Members that Foundation lacks on Linux exist")
    func foundation() {
        #expect(NSEC_PER_SEC == 1000 * NSEC_PER_MSEC)
        #expect(FileManager.default.ubiquityIdentityToken == nil)
        #expect(Employee.classForCoder() == Employee.self)
        let urls: [URL]? = Bundle.main.urls(forResourcesWithExtension: "momd", subdirectory: nil)
        #expect(urls?.allSatisfy { $0.pathExtension == "momd" } ?? true)
        #expect(NSConstraintConflict().constraint.isEmpty)
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate static func make(_ model: NSManagedObjectModel) -> NSPersistentStoreCoordinator {
        self.init(managedObjectModel: model)
    }
}

extension NSManagedObjectContext {
    fileprivate static func make() -> NSManagedObjectContext {
        self.init(concurrencyType: .privateQueueConcurrencyType)
    }
}

extension NSPersistentContainer {
    fileprivate static func make(_ model: NSManagedObjectModel) -> NSPersistentContainer {
        self.init(name: "made", managedObjectModel: model)
    }
}

private final class PrefixTransformer: ValueTransformer {
    private let prefix: String

    init(prefix: String) {
        self.prefix = prefix
        super.init()
    }

    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { prefix + $0 } }
}

private final class UpperTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
}
