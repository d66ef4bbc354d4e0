import CoreData
import CoreDataConformance

/// The code of the article on stores.
extension Articles {
    static func exportAsXML(_ container: NSPersistentContainer, to url: URL) throws {
        let coordinator = container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        try coordinator.migratePersistentStore(store, to: url, type: .xml)
    }

    class MyStore: NSAtomicStore, @unchecked Sendable {}

    static func addMyStore(to coordinator: NSPersistentStoreCoordinator, at url: URL) throws {
        NSPersistentStoreCoordinator.registerStoreClass(MyStore.self, forStoreType: "MyFormat")
        try coordinator.addPersistentStore(ofType: "MyFormat", configurationName: nil, at: url)
    }

    static func readFromStandbys() -> NSPersistentStoreDescription {
        let hosts = "postgresql:///app?host=db1,db2,db3&port=5432,5432,5432&schema=library"
        let description = NSPersistentStoreDescription(url: URL(string: hosts)!)
        description.setOption(URL(string: hosts)! as NSURL, forKey: PostgreSQLStandbyURLKey)
        return description
    }

    static func checkMyStore() throws {
        let conformance = StoreConformance("MyFormat", capabilities: [.persistence, .metadata])
        for check in conformance.checks { try check.run() }
    }
}
