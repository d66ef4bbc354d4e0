import Catalogue
import CoreData
import Forms
import Testing

@Suite("Hand-written classes")
@MainActor
struct ClassTests {
    private let container: NSPersistentContainer
    private var context: NSManagedObjectContext { container.viewContext }

    init() throws {
        container = try ClientTests.container("Forms")
    }

    @Test("Relationships are sets, ordered sets and objects")
    func relationships() throws {
        let person = Person(context: context)
        let friend = Person(context: context)
        person.friends = [friend]
        #expect(friend.friends == [person])
        person.addToFriends(NSSet(object: person))
        person.removeFromFriends(friend)
        #expect(person.friends == [person])
        let home = Home(context: context)
        person.home = home
        friend.home = home
        #expect(home.size == 2)

        let tracks = ["a", "b", "c"].map { title in
            let track = Track(context: context)
            track.title = title
            return track
        }
        person.addToSongs(NSOrderedSet(array: [tracks[0], tracks[1]]))
        person.insertIntoSongs(tracks[2], at: 0)
        #expect(person.songs.compactMap { ($0 as? Track)?.title } == ["c", "a", "b"])
        person.replaceSongs(at: 0, with: tracks[1])
        person.removeFromSongs(at: NSIndexSet(index: 1))
        #expect(person.songs.count == 1)
        try context.saveAndRefault(person)
        #expect(person.home == home)
        #expect(person.songs.count == 1)
    }

    @Test("Private members and primitive accessors work")
    func privateMembers() throws {
        let person = Person(context: context)
        person.keep(secret: "key")
        person.silently(age: 30)
        person.call("Al")
        person.birthday = Date(timeIntervalSinceReferenceDate: 60)
        let home = Home(context: context)
        home.rawStreet = "High Street"
        try context.saveAndRefault(person)
        #expect(person.tellSecret() == "key")
        #expect(person.age == 30)
        #expect(person.nickname == "Al")
        #expect(person.birthday == Date(timeIntervalSinceReferenceDate: 60))
        #expect(home.street == "High Street")
        #expect(home.rawStreet == "High Street")
    }

    @Test("A validation method is called by its name")
    func validation() throws {
        let person = Person(context: context)
        person.age = 200
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == "Forms")
        person.age = 20
        try context.save()
    }

    @Test("Entities inherit, and their classes may have other names")
    func inheritance() throws {
        let dog = Hound(context: context)
        dog.name = "Bello"
        dog.tricks = 3
        let puppy = try #require(
            NSEntityDescription.insertNewObject(forEntityName: "Puppy", into: context) as? Puppy)
        puppy.name = "Ace"
        puppy.weeks = 4
        puppy.tricks = 1
        try context.save()
        context.reset()
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Animal.name, ascending: true)]
        let animals = try context.fetch(request)
        #expect(animals.map(\.name) == ["Ace", "Bello"])
        #expect((animals.first as? Puppy)?.weeks == 4)
        #expect((animals.last as? Hound)?.tricks == 3)
        #expect(Hound.entity().name == "Dog")
    }

    @Test("Managed properties satisfy protocols, and subclasses override them")
    func witnessesAndOverrides() throws {
        let puppy = Puppy(context: context)
        puppy.name = "Rex"
        (puppy as any Named).shout()
        #expect(puppy.name == "REX")
        (puppy as Hound).tricks = 7
        #expect(puppy.tricks == 3)
        #expect(puppy.value(forKey: "tricks") as? Int == 3)
    }

    @Test("A module can add a property to another module's class")
    func foreignExtension() throws {
        let container = try ClientTests.container("Catalogue")
        let product = Product(context: container.viewContext)
        product.name = "Lamp"
        product.shelf = "A1"
        try container.viewContext.saveAndRefault(product)
        #expect(product.shelf == "A1")
    }

    @Test("A class nested in another type is found, and so are its property types")
    func nested() throws {
        let entry = Models.Entry(context: context)
        entry.kind = .letter
        entry.title = "Dear"
        try context.saveAndRefault(entry)
        #expect(entry.kind == .letter)
        #expect(try context.fetch(NSFetchRequest<Models.Entry>(entityName: "Entry")).first?.title == "Dear")
    }

    @Test("A class that inherits from another module's generic class works, with its types")
    func genericAndForeign() throws {
        let reading = Reading(context: context)
        reading.value = 1.5
        reading.stamp = Date(timeIntervalSinceReferenceDate: 1)
        reading.availability = .soldOut
        try context.saveAndRefault(reading)
        #expect(reading.value == 1.5)
        #expect(reading.stamp == Date(timeIntervalSinceReferenceDate: 1))
        #expect(reading.availability == .soldOut)
    }

    @Test("A class bound to the main actor works")
    func mainActor() throws {
        let widget = Widget(context: context)
        widget.width = 20
        widget.width /= 8
        #expect(widget.width == 2.5)
    }

    @Test("Sources written by the model editor for Manual/None work")
    func editorSources() throws {
        let article = Article(context: context)
        article.body = "Text"
        article.words = 1
        let comments = (0..<4).map { number in
            let comment = Remark(context: context)
            comment.text = "\(number)"
            return comment
        }
        func texts() -> [String?] { (article.comments?.array as? [Remark] ?? []).map(\.text) }
        article.addToComments(comments[0])
        article.addToComments(NSOrderedSet(array: [comments[1]]))
        article.insertIntoComments(comments[2], at: 0)
        article.insertIntoComments([comments[3]], at: NSIndexSet(index: 1))
        #expect(texts() == ["2", "3", "0", "1"])
        article.removeFromComments(at: 0)
        article.removeFromComments(at: NSIndexSet(index: 0))
        article.replaceComments(at: 0, with: comments[2])
        article.replaceComments(at: NSIndexSet(index: 1), with: [comments[3]])
        #expect(texts() == ["2", "3"])
        article.removeFromComments(comments[2])
        article.removeFromComments(NSOrderedSet(object: comments[3]))
        #expect(article.comments?.count == 0)
        article.addToReaders(comments[0])
        article.addToReaders(NSSet(array: comments))
        article.removeFromReaders(comments[0])
        article.removeFromReaders(NSSet(object: comments[1]))
        #expect(article.readers?.count == 2)
        try context.save()
        #expect(try context.fetch(Article.fetchRequest()) == [article])
        #expect(article.id == ObjectIdentifier(article))
    }

    @Test("Generated classes and extensions work from another module")
    func generated() throws {
        let container = try ClientTests.container("Second")
        let capital = Capital(context: container.viewContext)
        capital.id = UUID()
        capital.name = "Bern"
        capital.country = "Switzerland"
        capital.population = 134_000
        capital.altitude = 540
        capital.arms = "bear" as NSString
        capital.budget = 12
        capital.founded = 60
        capital.page = URL(string: "https://bern.ch")
        capital.parts = ["Felsenau", "Länggasse"]
        let street = Street(context: container.viewContext)
        street.name = "Gasse"
        capital.insertIntoStreets(street, at: 0)
        #expect(street.city === capital)
        #expect(street.sign == "GASSE")
        try container.viewContext.saveAndRefault(capital)
        #expect(capital.altitude == 540)
        #expect(capital.arms as? NSString == "bear")
        #expect(capital.budget == 12)
        #expect(capital.founded == 60)
        #expect(capital.page?.host == "bern.ch")
        #expect(capital.parts == ["Felsenau", "Länggasse"])
        let request = City.fetchRequest()
        request.predicate = NSPredicate(format: "ANY streets.name BEGINSWITH %@", "Ga")
        #expect(try container.viewContext.fetch(request).map(\.name) == ["Bern"])
    }
}
