import Catalogue
import CoreData
import Forms

// Finds its models wherever it is installed, and uses managed classes of three modules. Prints what it found;
// fails with a message that says what is not as it should be.

func expect(_ condition: Bool, _ message: String) {
    guard !condition else { return }
    FileHandle.standardError.write(Data("FAILED: \(message)\n".utf8))
    exit(1)
}

func loaded(_ container: NSPersistentContainer) throws -> NSManagedObjectContext {
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container.viewContext
}

// The models of the program, of a library with several of them, and of a dependency's library.
for name in ["Program", "Forms", "Second", "Plain", "Catalogue"] {
    let container = NSPersistentContainer(name: name)
    expect(!container.managedObjectModel.entities.isEmpty, "model \(name) has no entities")
    print("\(name): \(container.managedObjectModel.entities.count) entities")
}
expect(Bundle.module.url(forResource: "Program", withExtension: "momd") != nil, "Bundle.module lacks Program")
expect(Forms.bundle.url(forResource: "Second", withExtension: "momd") != nil, "Forms' bundle lacks Second")
expect(Forms.bundle.url(forResource: "Plain", withExtension: "mom") != nil, "Forms' bundle lacks Plain")
expect(Forms.bundle.url(forResource: "Forms1to2", withExtension: "cdm") != nil, "Forms lacks its mapping")
expect(
    Catalogue.bundle.url(forResource: "Catalogue", withExtension: "momd")
        .flatMap(NSManagedObjectModel.init(contentsOf:)) != nil, "Catalogue's bundle lacks its model")
guard let merged = NSManagedObjectModel.mergedModel(from: nil) else { fatalError("no merged model") }
let names = Set(merged.entities.compactMap(\.name))
expect(names.isSuperset(of: ["Task", "Room", "Person", "City", "Note", "Product"]), "merged: \(names)")
expect(!names.contains("Sample"), "the merged model has entities of a target that this program does not use")

// Their classes, hand-written and generated.
let context = try loaded(NSPersistentContainer(name: "Program"))
let chore = Chore(context: context)
expect(chore.minutes == 5, "the default of Task.minutes is \(chore.minutes)")
chore.title = "Sweep"
chore.minutes += 10
Room(context: context).name = "Kitchen"
try context.save()
let request = NSFetchRequest<Chore>(entityName: "Task")
request.predicate = NSPredicate(format: "%K == 15", #keyPath(Chore.minutes))
expect(try context.fetch(request).map(\.title) == ["Sweep"], "the saved object is not found")

let forms = try loaded(NSPersistentContainer(name: "Forms"))
let person = Person(context: forms)
person.age = 44
person.birthday = Date(timeIntervalSinceReferenceDate: 0)
let puppy = Puppy(context: forms)
puppy.name = "Rex"
puppy.weeks = 6
puppy.tricks += 2
person.addToPets(puppy)
expect(puppy.owner === person, "the inverse is not kept")
expect(NSStringFromClass(type(of: puppy)) == "Forms.Puppy", "the class is \(type(of: puppy))")
try forms.save()

let products = try loaded(NSPersistentContainer(name: "Catalogue"))
let product = Product(context: products)
product.name = "Chair"
product.isFree = true
expect(product.isFree && product.name == "Chair", "properties of a dependency's class")
try products.save()

print("Bundle.module: \(Bundle.module.bundlePath)")
print("all found")
