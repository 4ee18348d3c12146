<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="16" tileheight="16" tilecount="8" columns="4">
 <tile id="0" type="grass"/>
 <tile id="1" type="Blocked"/>
 <tile id="2">
  <properties>
   <property name="blocked" type="bool" value="true"/>
   <property name="kind" value="water"/>
  </properties>
 </tile>
 <tile id="3" class="a plank">
  <properties>
   <property name="blocked" type="bool" value="false"/>
   <property name="kind" value="road"/>
   <property name="weight" type="int" value="2"/>
  </properties>
 </tile>
 <tile id="4" type="mud">
  <properties>
   <property name="weight" type="int" value="9"/>
  </properties>
 </tile>
</tileset>
